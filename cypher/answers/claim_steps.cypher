// Tie an answer to claims that are steps of its chains; what the graph does not hold is passed over.
// Parameters: $id, $rows (maps: chain, order, score, claim_id).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (c:HoptrailClaim {id: row.claim_id})
USING INDEX SEEK c:HoptrailClaim(id)
CREATE (a)-[:STEP {chain: row.chain, order: row.order, score: row.score}]->(c)
