// Write entities as counted; `counts` belongs to the name, then to the aliases in their order. Those that passages
// mention are keywords; the others are only ends of triples.
// Parameters: $rows (maps: id, passages, and what else is to be written; sorted by id).
// Columns: none.
UNWIND $rows AS row
MATCH (e:HoptrailEntity {id: row.id})
USING INDEX SEEK e:HoptrailEntity(id)
SET e += row
FOREACH (_ IN CASE WHEN row.passages > 0 THEN [1] ELSE [] END | SET e:HoptrailKeyword)
FOREACH (_ IN CASE WHEN row.passages > 0 THEN [] ELSE [1] END | REMOVE e:HoptrailKeyword)
