// Take out what entities mean in these documents.
// Parameters: $ids (document ids).
// Columns: entity_id (of each link that was there).
UNWIND $ids AS document_id
MATCH (e:HoptrailEntity)-[r:DENOTES {document_id: document_id}]->()
USING INDEX SEEK r:DENOTES(document_id)
WITH r, e.id AS entity_id
DELETE r
RETURN entity_id
