"""The graph as RDF: written, read again, queried; and RDF of others, read into a spool."""
