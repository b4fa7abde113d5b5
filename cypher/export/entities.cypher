// A page of all entities, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, name, aliases, terms, passages, wikidata_id, description.
MATCH (n:Entity)
WHERE n.id >= $after
RETURN n.id AS id, n.name AS name, n.aliases AS aliases, n.terms AS terms, n.passages AS passages,
  n.wikidata_id AS wikidata_id, n.description AS description
ORDER BY id
LIMIT $limit
