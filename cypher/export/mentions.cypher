// What these passages mention.
// Parameters: $ids (of a page).
// Columns: passage_id, entity_id, surface; sorted by ids.
UNWIND $ids AS id
MATCH (p:Passage {id: id})-[m:MENTIONS]->(e:Entity)
USING INDEX SEEK p:Passage(id)
RETURN p.id AS passage_id, e.id AS entity_id, m.surface AS surface
ORDER BY passage_id, entity_id
