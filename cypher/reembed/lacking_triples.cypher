// Triples with a vector, but none of the encoder that the graph is being moved to.
// Parameters: $after (only greater ids), $limit.
// Columns: id, text; by id.
MATCH (t:HoptrailTriple)
WHERE t.id > $after AND t.embedding IS NOT NULL AND t.embedding_next IS NULL
RETURN t.id AS id, t.text AS text
ORDER BY id
LIMIT $limit
