// Passages that mention one of these entities.
// Parameters: $ids (entity ids), $limit.
// Columns: id; sorted.
UNWIND $ids AS entity_id
MATCH (asked:HoptrailEntity {id: entity_id})<-[:MENTIONS]-(p:HoptrailPassage)
USING INDEX SEEK asked:HoptrailEntity(id)
RETURN DISTINCT p.id AS id
ORDER BY id
LIMIT $limit
