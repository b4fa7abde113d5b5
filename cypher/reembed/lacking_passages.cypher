// Passages without a vector of the encoder that the graph is being moved to.
// Parameters: $after (only greater ids), $limit.
// Columns: id, title, text; by id.
MATCH (p:HoptrailPassage)
WHERE p.id > $after AND p.embedding_next IS NULL
RETURN p.id AS id, p.title AS title, p.text AS text
ORDER BY id
LIMIT $limit
