// A page of all stems, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, passages.
MATCH (t:HoptrailTerm)
WHERE t.id >= $after
RETURN t.id AS id, t.passages AS passages
ORDER BY id
LIMIT $limit
