// Delete entities that nothing mentions or states any more.
// Parameters: $ids (entity ids).
// Columns: none.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
DETACH DELETE e
