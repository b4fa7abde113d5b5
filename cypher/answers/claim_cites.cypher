// Tie an answer to claims that facts which it cites tell; what the graph does not hold is passed over.
// Parameters: $id, $rows (maps: rank, votes, score, claim_id).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (c:HoptrailClaim {id: row.claim_id})
USING INDEX SEEK c:HoptrailClaim(id)
CREATE (a)-[:CITES {rank: row.rank, votes: row.votes, score: row.score}]->(c)
