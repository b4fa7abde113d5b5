"""What keeps a graph whole: checks, repairs, restoring, newer schemas, other vectors."""
