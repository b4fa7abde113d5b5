// A page of all triples, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, head, relation, tail, extractor, embedding (float[d] or null).
MATCH (n:Triple)
WHERE n.id >= $after
RETURN n.id AS id, n.head AS head, n.relation AS relation, n.tail AS tail, n.extractor AS extractor,
  n.embedding AS embedding
ORDER BY id
LIMIT $limit
