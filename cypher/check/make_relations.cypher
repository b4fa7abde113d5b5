// Make the navigable edges of triples.
// Parameters: $rows (maps: triple_id, source, target, relation).
// Columns: none.
UNWIND $rows AS row
MATCH (h:Entity {id: row.source})
USING INDEX SEEK h:Entity(id)
MATCH (o:Entity {id: row.target})
USING INDEX SEEK o:Entity(id)
CREATE (h)-[:RELATES_TO {relation: row.relation, triple_id: row.triple_id}]->(o)
