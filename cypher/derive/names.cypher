// Tie passages to the first passages of the documents they name.
// Parameters: $rows (maps: source, target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (a:HoptrailPassage {id: row.source})
USING INDEX SEEK a:HoptrailPassage(id)
MATCH (b:HoptrailPassage {id: row.target})
USING INDEX SEEK b:HoptrailPassage(id)
CREATE (a)-[:NAMES]->(b)
