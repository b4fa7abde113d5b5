// Delete entities that nothing mentions or states.
// Parameters: $rows (maps: id).
// Columns: none.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
USING INDEX SEEK e:Entity(id)
DETACH DELETE e
