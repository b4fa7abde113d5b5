// Tie an answer to the passages it rests on.
// Parameters: $id, $rows (maps: rank, votes, score, passage_id).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.passage_id})
USING INDEX SEEK p:HoptrailPassage(id)
CREATE (a)-[:CITES {rank: row.rank, votes: row.votes, score: row.score}]->(p)
