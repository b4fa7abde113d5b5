// Triples without a vector.
// Parameters: $after (only greater ids), $limit.
// Columns: id, text; by id.
MATCH (t:HoptrailTriple)
WHERE t.id > $after AND t.embedding IS NULL
RETURN t.id AS id, t.text AS text
ORDER BY id
LIMIT $limit
