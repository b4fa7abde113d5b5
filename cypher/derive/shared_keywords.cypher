// What pairs of passages share now.
// Parameters: $rows (maps: source, target; source < target).
// Columns: source, target, keywords; no row for a pair that shares nothing.
UNWIND $rows AS row
MATCH (a:HoptrailPassage {id: row.source})-[r:SHARES_KEYWORD]->(b:HoptrailPassage {id: row.target})
USING INDEX SEEK a:HoptrailPassage(id)
RETURN a.id AS source, b.id AS target, r.keywords AS keywords
