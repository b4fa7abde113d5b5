"""What keeps a graph whole: checks, repairs, and what people ask of a graph as a whole."""
