// Write entities as counted; `counts` belongs to the name, then to the aliases in their order.
// Parameters: $rows (maps: id, name, aliases, counts, terms, passages; sorted by id).
// Columns: none.
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
SET e.name = row.name, e.aliases = row.aliases, e.counts = row.counts, e.terms = row.terms,
  e.passages = row.passages
