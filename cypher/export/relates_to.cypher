// What these entities relate to.
// Parameters: $ids (of a page).
// Columns: source, target, relation, triple_id; sorted by ids.
UNWIND $ids AS id
MATCH (a:HoptrailEntity {id: id})-[r:RELATES_TO]->(b:HoptrailEntity)
USING INDEX SEEK a:HoptrailEntity(id)
RETURN a.id AS source, b.id AS target, r.relation AS relation, r.triple_id AS triple_id
ORDER BY source, target, triple_id
