// Delete entities that nothing mentions or states any more.
// Parameters: $ids (entity ids).
// Columns: none.
UNWIND $ids AS id
MATCH (e:HoptrailEntity {id: id})
USING INDEX SEEK e:HoptrailEntity(id)
DETACH DELETE e
