// Write what pairs of passages share.
// Parameters: $rows (maps: source, target, keywords (sorted), weight (their number); source < target; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (a:HoptrailPassage {id: row.source})
USING INDEX SEEK a:HoptrailPassage(id)
MATCH (b:HoptrailPassage {id: row.target})
USING INDEX SEEK b:HoptrailPassage(id)
MERGE (a)-[r:SHARES_KEYWORD]->(b)
SET r.keywords = row.keywords, r.weight = row.weight
