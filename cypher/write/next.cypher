// Tie passages to the ones that follow them.
// Parameters: $rows (maps: source, target).
// Columns: none.
UNWIND $rows AS row
MATCH (a:Passage {id: row.source})
MATCH (b:Passage {id: row.target})
CREATE (a)-[:NEXT]->(b)
