"""Measuring retrieval and answers."""
