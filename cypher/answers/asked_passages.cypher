// Tie triples of a question's own graph to the passages that its answer was read in; what the graph does not hold is passed over.
// Parameters: $rows (maps: question_triple_id, kind, rank, id).
// Columns: none.
UNWIND $rows AS row
MATCH (q:HoptrailQuestionTriple {id: row.question_triple_id})
USING INDEX SEEK q:HoptrailQuestionTriple(id)
MATCH (t:HoptrailPassage {id: row.id})
USING INDEX SEEK t:HoptrailPassage(id)
CREATE (q)-[:READ_IN {rank: row.rank}]->(t)
