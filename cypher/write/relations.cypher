// Make the navigable edge of triples whose relation is known. The relation is a property: nothing a document says
// becomes a relationship type.
// Parameters: $rows (maps: id (the triple's), head_id, tail_id, relation; sorted by ends).
// Columns: none.
UNWIND $rows AS row
MATCH (h:Entity {id: row.head_id})
MATCH (o:Entity {id: row.tail_id})
CREATE (h)-[:RELATES_TO {relation: row.relation, triple_id: row.id}]->(o)
