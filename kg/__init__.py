"""What is known: the graph's types and stores, splitting, keywords, triples, ingestion."""
