// Make passages, or renew those that came back unchanged; the next encoder reads them again, as titles may differ.
// Parameters: $rows (maps of all properties, sorted by id).
// Columns: none.
UNWIND $rows AS row
MERGE (p:HoptrailPassage {id: row.id})
SET p += row, p.embedding_next = null
