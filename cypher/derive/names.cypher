// Tie passages to the first passages of the documents they name.
// Parameters: $rows (maps: source, target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (a:Passage {id: row.source})
USING INDEX SEEK a:Passage(id)
MATCH (b:Passage {id: row.target})
USING INDEX SEEK b:Passage(id)
CREATE (a)-[:NAMES]->(b)
