// Make entities that are not there yet; `counts` belongs to the name, then to the aliases in their order. Those that
// passages mention are keywords; the others are only ends of triples.
// Parameters: $rows (maps of all properties, sorted by id).
// Columns: none.
UNWIND $rows AS row
CREATE (e:HoptrailEntity)
SET e = row
FOREACH (_ IN CASE WHEN row.passages > 0 THEN [1] ELSE [] END | SET e:HoptrailKeyword)
