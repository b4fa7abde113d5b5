// Tie passages to the ones that follow them.
// Parameters: $rows (maps: source, target).
// Columns: none.
UNWIND $rows AS row
MATCH (a:HoptrailPassage {id: row.source})
USING INDEX SEEK a:HoptrailPassage(id)
MATCH (b:HoptrailPassage {id: row.target})
USING INDEX SEEK b:HoptrailPassage(id)
CREATE (a)-[:NEXT]->(b)
