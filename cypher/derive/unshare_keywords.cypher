// Part pairs of passages that share nothing any more.
// Parameters: $rows (maps: source, target; source < target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailPassage {id: row.source})-[r:SHARES_KEYWORD]->(:HoptrailPassage {id: row.target})
USING INDEX SEEK asked:HoptrailPassage(id)
DELETE r
