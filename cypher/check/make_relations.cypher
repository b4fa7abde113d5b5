// Make the navigable edges of triples.
// Parameters: $rows (maps: triple_id, source, target, relation).
// Columns: none.
UNWIND $rows AS row
MATCH (h:HoptrailEntity {id: row.source})
USING INDEX SEEK h:HoptrailEntity(id)
MATCH (o:HoptrailEntity {id: row.target})
USING INDEX SEEK o:HoptrailEntity(id)
CREATE (h)-[:RELATES_TO {relation: row.relation, triple_id: row.triple_id}]->(o)
