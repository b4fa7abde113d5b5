// What was fitted, of one kind.
// Parameters: $id (kind).
// Columns: text (JSON); no row when nothing was kept.
MATCH (p:HoptrailParameters {id: $id})
USING INDEX SEEK p:HoptrailParameters(id)
RETURN p.text AS text
