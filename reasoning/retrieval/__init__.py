"""Retrievers: which passages a question needs."""
