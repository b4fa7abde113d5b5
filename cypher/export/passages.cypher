// A page of all passages, by id.
// Parameters: $after (the id to begin with), $limit, $names (of properties).
// Columns: id, held (the values, in the order of $names; null for what a node lacks).
MATCH (p:HoptrailPassage)
WHERE p.id >= $after
RETURN p.id AS id, [name IN $names | p[name]] AS held
ORDER BY id
LIMIT $limit
