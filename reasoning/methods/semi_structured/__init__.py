"""Semi-Structured Chain-of-Thought: a masked chain, filled from graph, text and model."""
