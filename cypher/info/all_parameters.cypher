// All that was fitted.
// Parameters: none.
// Columns: id (kind), text (JSON); by id.
MATCH (p:HoptrailParameters)
RETURN p.id AS id, p.text AS text
ORDER BY id
