"""Runs: whole question files asked, kept on disk, and compared."""
