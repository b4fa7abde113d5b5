// Delete document nodes.
// Parameters: $ids (document ids).
// Columns: id (of each that was there).
UNWIND $ids AS document_id
MATCH (d:Document {id: document_id})
USING INDEX SEEK d:Document(id)
WITH d, d.id AS id
DETACH DELETE d
RETURN id
