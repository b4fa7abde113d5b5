// Passages that mention one of these entities.
// Parameters: $ids (entity ids), $limit.
// Columns: id; sorted.
UNWIND $ids AS entity_id
MATCH (:Entity {id: entity_id})<-[:MENTIONS]-(p:Passage)
RETURN DISTINCT p.id AS id
ORDER BY id
LIMIT $limit
