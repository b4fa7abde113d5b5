// Put new vectors of some triples in the place of the old ones.
// Parameters: $after (only greater ids), $limit (how many).
// Columns: last (the greatest id of them, null when there were none).
MATCH (t:HoptrailTriple)
WHERE t.id > $after AND t.embedding_next IS NOT NULL
WITH t ORDER BY t.id LIMIT $limit
SET t.embedding = t.embedding_next
REMOVE t.embedding_next
RETURN max(t.id) AS last
