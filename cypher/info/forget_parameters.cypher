// Take out what was fitted, of one kind.
// Parameters: $id (kind).
// Columns: id; no row when nothing was kept.
MATCH (p:HoptrailParameters {id: $id})
USING INDEX SEEK p:HoptrailParameters(id)
WITH p, p.id AS id
DELETE p
RETURN id
