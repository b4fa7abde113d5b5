"""Composition root: the Hoptrail class, the command line."""
