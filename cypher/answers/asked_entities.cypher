// Tie triples of a question's own graph to the entities that its variables were bound to; what the graph does not hold is passed over.
// Parameters: $rows (maps: question_triple_id, kind, rank, id).
// Columns: none.
UNWIND $rows AS row
MATCH (q:HoptrailQuestionTriple {id: row.question_triple_id})
USING INDEX SEEK q:HoptrailQuestionTriple(id)
MATCH (t:HoptrailEntity {id: row.id})
USING INDEX SEEK t:HoptrailEntity(id)
CREATE (q)-[:BOUND_TO {end: row.kind}]->(t)
