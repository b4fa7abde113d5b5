// What entities mean in these documents.
// Parameters: $ids (document ids, of a page).
// Columns: document_id, entity_id, item_id, score, margin, method, reason.
UNWIND $ids AS document_id
MATCH (e:HoptrailEntity)-[r:DENOTES {document_id: document_id}]->(i:HoptrailItem)
USING INDEX SEEK r:DENOTES(document_id)
RETURN r.document_id AS document_id, e.id AS entity_id, i.id AS item_id, r.score AS score, r.margin AS margin,
  r.method AS method, r.reason AS reason
