// A page of all triples with what hangs on them, by id.
// Parameters: $after (the id to begin with), $limit, $names (of properties).
// Columns: id, held (the values, in the order of $names), text, dimension and squares (length and sum of squares of the
// vector, or null), heads, tails (entity ids).
MATCH (t:HoptrailTriple)
WHERE t.id >= $after
WITH t ORDER BY t.id LIMIT $limit
RETURN t.id AS id, [name IN $names | t[name]] AS held, t.text AS text,
  size(t.embedding) AS dimension,
  reduce(s = 0.0, x IN t.embedding | s + x * x) AS squares,
  [(t)-[:HEAD]->(e:HoptrailEntity) | e.id] AS heads, [(t)-[:TAIL]->(e:HoptrailEntity) | e.id] AS tails
ORDER BY id
