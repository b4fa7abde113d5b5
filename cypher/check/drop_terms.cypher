// Delete stems.
// Parameters: $rows (maps: id).
// Columns: none.
UNWIND $rows AS row
MATCH (t:HoptrailTerm {id: row.id})
USING INDEX SEEK t:HoptrailTerm(id)
DELETE t
