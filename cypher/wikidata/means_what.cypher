// Which items entities mean, in whatever document.
// Parameters: $ids (entity ids).
// Columns: id; sorted.
UNWIND $ids AS entity_id
MATCH (e:HoptrailEntity {id: entity_id})-[:DENOTES]->(i:HoptrailItem)
USING INDEX SEEK e:HoptrailEntity(id)
RETURN DISTINCT i.id AS id
ORDER BY id
