"""Which candidate is the answer, how sure it is, and what is not asserted."""
