"""What `hoptrail train` does: fit, measure on held-out questions, keep with the graph."""
