"""What is done with a whole graph: shown, copied, exported, moved to another encoder."""
