// Write what pairs of passages share that shared nothing before.
// Parameters: $rows (maps: source, target, keywords (sorted), weight (their number); source < target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (a:Passage {id: row.source})
USING INDEX SEEK a:Passage(id)
MATCH (b:Passage {id: row.target})
USING INDEX SEEK b:Passage(id)
CREATE (a)-[:SHARES_KEYWORD {keywords: row.keywords, weight: row.weight}]->(b)
