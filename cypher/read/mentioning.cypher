// Passages that mention one of these entities.
// Parameters: $ids (entity ids), $limit.
// Columns: id; sorted.
UNWIND $ids AS entity_id
MATCH (asked:Entity {id: entity_id})<-[:MENTIONS]-(p:Passage)
USING INDEX SEEK asked:Entity(id)
RETURN DISTINCT p.id AS id
ORDER BY id
LIMIT $limit
