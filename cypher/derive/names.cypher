// Tie passages to the first passages of the documents they name.
// Parameters: $rows (maps: source, target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (a:Passage {id: row.source})
MATCH (b:Passage {id: row.target})
CREATE (a)-[:NAMES]->(b)
