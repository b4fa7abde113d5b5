// Write entities as counted; `counts` belongs to the name, then to the aliases in their order.
// Parameters: $rows (maps: id, name, aliases, counts, passages; sorted by id).
// Columns: none.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
USING INDEX SEEK e:Entity(id)
SET e.name = row.name, e.aliases = row.aliases, e.counts = row.counts, e.passages = row.passages
