// A page of all claims, by id.
// Parameters: $after (the id to begin with), $limit, $names (of properties).
// Columns: id, held (the values, in the order of $names; null for what a node lacks).
MATCH (n:HoptrailClaim)
WHERE n.id >= $after
RETURN n.id AS id, [name IN $names | n[name]] AS held
ORDER BY id
LIMIT $limit
