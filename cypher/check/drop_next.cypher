// Part passages from those that do not follow them.
// Parameters: $rows (maps: source, target).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailPassage {id: row.source})-[r:NEXT]->(:HoptrailPassage {id: row.target})
USING INDEX SEEK asked:HoptrailPassage(id)
DELETE r
