// A page of all passages, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, document_id, position, title, normal_title, text, terms, heading, page (or null), embedding (float[d]).
MATCH (p:Passage)
WHERE p.id >= $after
RETURN p.id AS id, p.document_id AS document_id, p.position AS position, p.title AS title,
  p.normal_title AS normal_title, p.text AS text, p.terms AS terms,
  coalesce(p.heading, '') AS heading, p.page AS page, p.embedding AS embedding
ORDER BY id
LIMIT $limit
