// Part passages from those that do not follow them.
// Parameters: $rows (maps: source, target).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:Passage {id: row.source})-[r:NEXT]->(:Passage {id: row.target})
USING INDEX SEEK asked:Passage(id)
DELETE r
