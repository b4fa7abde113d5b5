// What linked these documents, where something did.
// Parameters: $ids (document ids).
// Columns: document_id, method.
UNWIND $ids AS id
MATCH (d:HoptrailDocument {id: id})
USING INDEX SEEK d:HoptrailDocument(id)
WHERE d.linked_by IS NOT NULL
RETURN d.id AS document_id, d.linked_by AS method
ORDER BY document_id
