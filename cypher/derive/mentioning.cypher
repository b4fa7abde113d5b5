// Which passages mention each of these entities.
// Parameters: $ids (entity ids).
// Columns: id, passage_ids.
UNWIND $ids AS id
MATCH (e:HoptrailEntity {id: id})<-[:MENTIONS]-(p:HoptrailPassage)
USING INDEX SEEK e:HoptrailEntity(id)
RETURN e.id AS id, collect(p.id) AS passage_ids
