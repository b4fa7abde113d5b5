// What these passages share with passages of greater ids.
// Parameters: $ids (of a page).
// Columns: source, target, keywords, weight; sorted by ids.
UNWIND $ids AS id
MATCH (a:HoptrailPassage {id: id})-[r:SHARES_KEYWORD]->(b:HoptrailPassage)
USING INDEX SEEK a:HoptrailPassage(id)
RETURN a.id AS source, b.id AS target, r.keywords AS keywords, r.weight AS weight
ORDER BY source, target
