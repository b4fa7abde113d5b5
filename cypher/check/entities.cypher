// A page of all entities as they are counted, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, name, aliases, terms, counts, passages.
MATCH (e:Entity)
WHERE e.id >= $after
RETURN e.id AS id, e.name AS name, e.aliases AS aliases, e.terms AS terms, e.counts AS counts,
  e.passages AS passages
ORDER BY id
LIMIT $limit
