// Take out what was fitted, of one kind.
// Parameters: $id (kind).
// Columns: id; no row when nothing was kept.
MATCH (p:Parameters {id: $id})
USING INDEX SEEK p:Parameters(id)
WITH p, p.id AS id
DELETE p
RETURN id
