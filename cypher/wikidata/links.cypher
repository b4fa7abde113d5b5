// What these entities mean in each document.
// Parameters: $ids (entity ids).
// Columns: document_id, entity_id, item_id, score, margin, method, reason.
UNWIND $ids AS id
MATCH (e:HoptrailEntity {id: id})-[r:DENOTES]->(i:HoptrailItem)
USING INDEX SEEK e:HoptrailEntity(id)
RETURN r.document_id AS document_id, e.id AS entity_id, i.id AS item_id, r.score AS score, r.margin AS margin,
  r.method AS method, r.reason AS reason
