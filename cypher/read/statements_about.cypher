// Statements with one of these entities as head or tail.
// Parameters: $ids (entity ids), $limit.
// Columns: passage_id, start, end, id, head, relation, tail, extractor (of the triple); by triple, passage.
UNWIND $ids AS entity_id
MATCH (asked:Entity {id: entity_id})<-[:HEAD|TAIL]-(n:Triple)
USING INDEX SEEK asked:Entity(id)
WITH DISTINCT n
ORDER BY n.id
LIMIT $limit
MATCH (p:Passage)-[s:STATES]->(n)
RETURN p.id AS passage_id, s.start AS start, s.end AS end,
  n.id AS id, n.head AS head, n.relation AS relation, n.tail AS tail, n.extractor AS extractor
ORDER BY id, passage_id
LIMIT $limit
