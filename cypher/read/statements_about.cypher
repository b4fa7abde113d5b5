// Statements with one of these entities as head or tail.
// Parameters: $ids (entity ids), $limit, $names (of a triple's properties).
// Columns: passage_id, start, end, id (of the triple), held (its values, in the order of $names); by triple, passage.
UNWIND $ids AS entity_id
MATCH (asked:HoptrailEntity {id: entity_id})<-[:HEAD|TAIL]-(n:HoptrailTriple)
USING INDEX SEEK asked:HoptrailEntity(id)
WITH DISTINCT n
ORDER BY n.id
LIMIT $limit
MATCH (p:HoptrailPassage)-[s:STATES]->(n)
RETURN p.id AS passage_id, s.start AS start, s.end AS end,
  n.id AS id, [name IN $names | n[name]] AS held
ORDER BY id, passage_id
LIMIT $limit
