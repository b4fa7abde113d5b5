"""The work of `hoptrail train`: fit, measure on held-out questions, keep with the graph."""
