"""How a candidate stands in its page beside what is asked about."""
