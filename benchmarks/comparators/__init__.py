"""Retrievers of other people's making, measured beside Hoptrail's by `benchmarks/retrieval.py`."""
