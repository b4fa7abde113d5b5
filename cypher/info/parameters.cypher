// What was fitted, of one kind.
// Parameters: $id (kind).
// Columns: text (JSON); no row when nothing was kept.
MATCH (p:Parameters {id: $id})
USING INDEX SEEK p:Parameters(id)
RETURN p.text AS text
