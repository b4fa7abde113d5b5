// Tie triples of a question's own graph to the triples that its answer was read from; what the graph does not hold is passed over.
// Parameters: $rows (maps: question_triple_id, kind, rank, id).
// Columns: none.
UNWIND $rows AS row
MATCH (q:HoptrailQuestionTriple {id: row.question_triple_id})
USING INDEX SEEK q:HoptrailQuestionTriple(id)
MATCH (t:HoptrailTriple {id: row.id})
USING INDEX SEEK t:HoptrailTriple(id)
CREATE (q)-[:SUPPORTED_BY {rank: row.rank}]->(t)
