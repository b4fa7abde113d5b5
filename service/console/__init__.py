"""What a terminal shows: text, progress, and what Ctrl-C does."""
