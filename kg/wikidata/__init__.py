"""Wikidata, or any store of its statements, asked by SPARQL: links, statements, tails."""
