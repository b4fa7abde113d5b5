// A page of all passages with what hangs on them, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, document_id, position, title, normal_title, text, terms, words, dimension and squares (length and sum of
// squares of the vector, or null), documents (ids).
MATCH (p:Passage)
WHERE p.id >= $after
WITH p ORDER BY p.id LIMIT $limit
RETURN p.id AS id, p.document_id AS document_id, p.position AS position, p.title AS title,
  p.normal_title AS normal_title, p.text AS text, p.terms AS terms, p.words AS words,
  size(p.embedding) AS dimension, reduce(s = 0.0, x IN p.embedding | s + x * x) AS squares,
  [(d:Document)-[:HAS_PASSAGE]->(p) | d.id] AS documents
ORDER BY id
