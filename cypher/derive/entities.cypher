// Write entities as counted; `counts` belongs to the name, then to the aliases in their order.
// Parameters: $rows (maps: id and what is to be written; sorted by id).
// Columns: none.
UNWIND $rows AS row
MATCH (e:HoptrailEntity {id: row.id})
USING INDEX SEEK e:HoptrailEntity(id)
SET e += row
