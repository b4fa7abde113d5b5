// Delete document nodes.
// Parameters: $ids (document ids).
// Columns: id (of each that was there).
UNWIND $ids AS document_id
MATCH (d:HoptrailDocument {id: document_id})
USING INDEX SEEK d:HoptrailDocument(id)
WITH d, d.id AS id
DETACH DELETE d
RETURN id
