// What follows these passages.
// Parameters: $ids (of a page).
// Columns: source, target; sorted by ids.
UNWIND $ids AS id
MATCH (a:Passage {id: id})-[:NEXT]->(b:Passage)
USING INDEX SEEK a:Passage(id)
RETURN a.id AS source, b.id AS target
ORDER BY source, target
