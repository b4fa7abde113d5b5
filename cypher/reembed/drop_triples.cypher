// Throw away new vectors of some triples.
// Parameters: $after (only greater ids), $limit (how many).
// Columns: last (the greatest id of them, null when there were none).
MATCH (t:HoptrailTriple)
WHERE t.id > $after AND t.embedding_next IS NOT NULL
WITH t ORDER BY t.id LIMIT $limit
REMOVE t.embedding_next
RETURN max(t.id) AS last
