// What pairs of passages share now.
// Parameters: $rows (maps: source, target; source < target).
// Columns: source, target, keywords; no row for a pair that shares nothing.
UNWIND $rows AS row
MATCH (a:Passage {id: row.source})-[r:SHARES_KEYWORD]->(b:Passage {id: row.target})
USING INDEX SEEK a:Passage(id)
RETURN a.id AS source, b.id AS target, r.keywords AS keywords
