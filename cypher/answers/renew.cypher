// Renew the time of an answer that was recorded before.
// Parameters: $id, $created_at.
// Columns: id; no row when the answer is new.
MATCH (a:Answer {id: $id})
USING INDEX SEEK a:Answer(id)
SET a.created_at = $created_at
RETURN a.id AS id
