"""Keywords of a passage, and the rules that turn its dependency parse into triples."""
