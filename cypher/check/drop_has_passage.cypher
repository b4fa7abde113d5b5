// Take passages off documents.
// Parameters: $rows (maps: document_id, id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:Passage {id: row.id})<-[r:HAS_PASSAGE]-(:Document {id: row.document_id})
USING INDEX SEEK asked:Passage(id)
DELETE r
