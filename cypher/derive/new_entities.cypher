// Make entities that are not there yet; `counts` belongs to the name, then to the aliases in their order.
// Parameters: $rows (maps of all properties, sorted by id).
// Columns: none.
UNWIND $rows AS row
CREATE (e:HoptrailEntity)
SET e = row
