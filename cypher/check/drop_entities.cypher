// Delete entities that nothing mentions or states.
// Parameters: $rows (maps: id).
// Columns: none.
UNWIND $rows AS row
MATCH (e:HoptrailEntity {id: row.id})
USING INDEX SEEK e:HoptrailEntity(id)
DETACH DELETE e
