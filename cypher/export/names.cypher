// What these passages name.
// Parameters: $ids (of a page).
// Columns: source, target; sorted by ids.
UNWIND $ids AS id
MATCH (a:HoptrailPassage {id: id})-[:NAMES]->(b:HoptrailPassage)
USING INDEX SEEK a:HoptrailPassage(id)
RETURN a.id AS source, b.id AS target
ORDER BY source, target
