// Write how many passages hold stems.
// Parameters: $rows (maps: id, passages).
// Columns: none.
UNWIND $rows AS row
MATCH (t:HoptrailTerm {id: row.id})
USING INDEX SEEK t:HoptrailTerm(id)
SET t.passages = row.passages
