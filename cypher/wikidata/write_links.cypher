// Keep what entities mean in documents; what leads from or to what is not there is passed over.
// Parameters: $rows (maps: document_id, entity_id, item_id, score, margin, method, reason; sorted).
// Columns: entity_id (of each that was written).
UNWIND $rows AS row
MATCH (d:HoptrailDocument {id: row.document_id})
USING INDEX SEEK d:HoptrailDocument(id)
MATCH (e:HoptrailEntity {id: row.entity_id})
USING INDEX SEEK e:HoptrailEntity(id)
MATCH (i:HoptrailItem {id: row.item_id})
USING INDEX SEEK i:HoptrailItem(id)
CREATE (e)-[:DENOTES {
  document_id: row.document_id, score: row.score, margin: row.margin, method: row.method, reason: row.reason
}]->(i)
RETURN row.entity_id AS entity_id
