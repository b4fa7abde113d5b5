// Throw away new vectors of some passages.
// Parameters: $after (only greater ids), $limit (how many).
// Columns: last (the greatest id of them, null when there were none).
MATCH (p:HoptrailPassage)
WHERE p.id > $after AND p.embedding_next IS NOT NULL
WITH p ORDER BY p.id LIMIT $limit
REMOVE p.embedding_next
RETURN max(p.id) AS last
