"""GE-Reasoning: the question as a graph with variables, which sub-questions bind (Algorithm 1)."""
