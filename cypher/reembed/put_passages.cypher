// Put new vectors of some passages in the place of the old ones; their sentences' are of the old encoder, too.
// Parameters: $after (only greater ids), $limit (how many).
// Columns: last (the greatest id of them, null when there were none).
MATCH (p:HoptrailPassage)
WHERE p.id > $after AND p.embedding_next IS NOT NULL
WITH p ORDER BY p.id LIMIT $limit
SET p.embedding = p.embedding_next
REMOVE p.embedding_next, p.noted_sentences, p.noted_sentences_by
RETURN max(p.id) AS last
