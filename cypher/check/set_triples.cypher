// Write what follows from the parts of triples.
// Parameters: $rows (maps: id, text).
// Columns: none.
UNWIND $rows AS row
MATCH (t:Triple {id: row.id})
USING INDEX SEEK t:Triple(id)
SET t.text = row.text
