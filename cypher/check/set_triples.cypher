// Write what follows from the parts of triples.
// Parameters: $rows (maps: id, text).
// Columns: none.
UNWIND $rows AS row
MATCH (t:HoptrailTriple {id: row.id})
USING INDEX SEEK t:HoptrailTriple(id)
SET t.text = row.text, t.name = row.text
