// Take the hash from documents, so that the next ingestion takes them for changed ones.
// Parameters: $rows (maps: id, metadata).
// Columns: none.
UNWIND $rows AS row
MATCH (d:HoptrailDocument {id: row.id})
USING INDEX SEEK d:HoptrailDocument(id)
SET d.sha256 = '', d.metadata = row.metadata
