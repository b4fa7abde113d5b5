// Write what pairs of passages share that shared nothing before.
// Parameters: $rows (maps: source, target, keywords (sorted), weight (their number); source < target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (a:HoptrailPassage {id: row.source})
USING INDEX SEEK a:HoptrailPassage(id)
MATCH (b:HoptrailPassage {id: row.target})
USING INDEX SEEK b:HoptrailPassage(id)
CREATE (a)-[:SHARES_KEYWORD {keywords: row.keywords, weight: row.weight}]->(b)
