"""Documents into the graph, and out of it where their sources are gone."""
