// Tie passages to the ones that follow them.
// Parameters: $rows (maps: source, target).
// Columns: none.
UNWIND $rows AS row
MATCH (a:Passage {id: row.source})
USING INDEX SEEK a:Passage(id)
MATCH (b:Passage {id: row.target})
USING INDEX SEEK b:Passage(id)
CREATE (a)-[:NEXT]->(b)
