// Count the passages that hold stems.
// Parameters: $rows (maps: id, more; sorted by id).
// Columns: none.
UNWIND $rows AS row
MERGE (t:HoptrailTerm {id: row.id})
SET t.passages = coalesce(t.passages, 0) + row.more
