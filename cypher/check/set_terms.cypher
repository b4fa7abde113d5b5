// Write how many passages hold stems.
// Parameters: $rows (maps: id, passages).
// Columns: none.
UNWIND $rows AS row
MATCH (t:Term {id: row.id})
USING INDEX SEEK t:Term(id)
SET t.passages = row.passages
