// Tie an answer to the passages it rests on.
// Parameters: $id, $rows (maps: rank, votes, score, passage_id).
// Columns: none.
MATCH (a:Answer {id: $id})
USING INDEX SEEK a:Answer(id)
UNWIND $rows AS row
MATCH (p:Passage {id: row.passage_id})
USING INDEX SEEK p:Passage(id)
CREATE (a)-[:CITES {rank: row.rank, votes: row.votes, score: row.score}]->(p)
