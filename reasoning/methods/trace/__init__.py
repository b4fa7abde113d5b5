"""TRACE: chains of triples, chosen one by one, that lead to the answer."""
