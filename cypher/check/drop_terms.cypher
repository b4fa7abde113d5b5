// Delete stems.
// Parameters: $rows (maps: id).
// Columns: none.
UNWIND $rows AS row
MATCH (t:Term {id: row.id})
USING INDEX SEEK t:Term(id)
DELETE t
