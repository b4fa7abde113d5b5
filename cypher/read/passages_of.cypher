// Passages of documents, in order.
// Parameters: $ids (document ids).
// Columns: id.
UNWIND $ids AS document_id
MATCH (p:HoptrailPassage {document_id: document_id})
USING INDEX SEEK p:HoptrailPassage(document_id)
WITH DISTINCT p
RETURN p.id AS id
ORDER BY p.document_id, p.position
