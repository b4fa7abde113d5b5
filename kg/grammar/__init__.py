"""The rules that turn a dependency parse into facts; `kg.triples` is their one caller."""
