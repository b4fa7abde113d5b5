// Renew the time of an answer that was recorded before.
// Parameters: $id, $created_at.
// Columns: id; no row when the answer is new.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
SET a.created_at = $created_at
RETURN a.id AS id
