"""A question under way: what it is answered with, what it cost, what was done."""
