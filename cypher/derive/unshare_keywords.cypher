// Part pairs of passages that share nothing any more.
// Parameters: $rows (maps: source, target; source < target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:Passage {id: row.source})-[r:SHARES_KEYWORD]->(:Passage {id: row.target})
USING INDEX SEEK asked:Passage(id)
DELETE r
