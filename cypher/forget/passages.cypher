// The passages documents have now.
// Parameters: $ids (document ids).
// Columns: id, terms.
UNWIND $ids AS document_id
MATCH (p:HoptrailPassage {document_id: document_id})
USING INDEX SEEK p:HoptrailPassage(document_id)
RETURN p.id AS id, p.terms AS terms
ORDER BY id
