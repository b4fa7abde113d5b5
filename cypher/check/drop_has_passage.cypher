// Take passages off documents.
// Parameters: $rows (maps: document_id, id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailPassage {id: row.id})<-[r:HAS_PASSAGE]-(:HoptrailDocument {id: row.document_id})
USING INDEX SEEK asked:HoptrailPassage(id)
DELETE r
