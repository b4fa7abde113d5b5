// Write the keys of passages' texts, which an older version did not.
// Parameters: $rows (maps: id, text_key).
// Columns: none.
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.id})
USING INDEX SEEK p:HoptrailPassage(id)
SET p.text_key = row.text_key
