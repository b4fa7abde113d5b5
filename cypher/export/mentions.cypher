// What these passages mention.
// Parameters: $ids (of a page).
// Columns: passage_id, entity_id, surface; sorted by ids.
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})-[m:MENTIONS]->(e:HoptrailEntity)
USING INDEX SEEK p:HoptrailPassage(id)
RETURN p.id AS passage_id, e.id AS entity_id, m.surface AS surface
ORDER BY passage_id, entity_id
