// Part passages from those they do not name any more.
// Parameters: $rows (maps: source, target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailPassage {id: row.source})-[r:NAMES]->(:HoptrailPassage {id: row.target})
USING INDEX SEEK asked:HoptrailPassage(id)
DELETE r
