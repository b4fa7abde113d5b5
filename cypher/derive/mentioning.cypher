// Which passages mention each of these entities.
// Parameters: $ids (entity ids).
// Columns: id, passage_ids.
UNWIND $ids AS id
MATCH (e:Entity {id: id})<-[:MENTIONS]-(p:Passage)
USING INDEX SEEK e:Entity(id)
RETURN e.id AS id, collect(p.id) AS passage_ids
