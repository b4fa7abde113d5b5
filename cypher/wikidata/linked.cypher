// Which entities of which documents mean these items.
// Parameters: $ids (QIDs).
// Columns: document_id, entity_id, item_id, score, margin, method, reason.
UNWIND $ids AS id
MATCH (i:HoptrailItem {id: id})<-[r:DENOTES]-(e:HoptrailEntity)
USING INDEX SEEK i:HoptrailItem(id)
RETURN r.document_id AS document_id, e.id AS entity_id, i.id AS item_id, r.score AS score, r.margin AS margin,
  r.method AS method, r.reason AS reason
