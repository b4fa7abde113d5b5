// Write entities as counted, their stems, too.
// Parameters: $rows (maps: id, name, aliases, counts, terms, passages).
// Columns: none.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
USING INDEX SEEK e:Entity(id)
SET e.name = row.name, e.aliases = row.aliases, e.counts = row.counts, e.terms = row.terms,
  e.passages = row.passages
