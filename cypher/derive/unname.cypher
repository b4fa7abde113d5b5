// Part passages from those they do not name any more.
// Parameters: $rows (maps: source, target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:Passage {id: row.source})-[r:NAMES]->(:Passage {id: row.target})
USING INDEX SEEK asked:Passage(id)
DELETE r
