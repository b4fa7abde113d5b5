// A page of all passages with what hangs on them, by id.
// Parameters: $after (the id to begin with), $limit, $names (of properties).
// Columns: id, held (the values, in the order of $names), words, dimension and squares (length and sum of
// squares of the vector, or null), documents (ids).
MATCH (p:HoptrailPassage)
WHERE p.id >= $after
WITH p ORDER BY p.id LIMIT $limit
RETURN p.id AS id, [name IN $names | p[name]] AS held, p.words AS words,
  size(p.embedding) AS dimension, reduce(s = 0.0, x IN p.embedding | s + x * x) AS squares,
  [(d:HoptrailDocument)-[:HAS_PASSAGE]->(p) | d.id] AS documents
ORDER BY id
