"""Text, progress and interruptions in a terminal."""
