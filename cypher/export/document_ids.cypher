// A page of the ids of all documents, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id.
MATCH (n:HoptrailDocument)
WHERE n.id >= $after
RETURN n.id AS id
ORDER BY id
LIMIT $limit
