// A page of the ids of all passages, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id.
MATCH (n:HoptrailPassage)
WHERE n.id >= $after
RETURN n.id AS id
ORDER BY id
LIMIT $limit
