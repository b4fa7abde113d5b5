// Tie an answer to claims of its own graph, with what brought each; what the graph does not hold is passed over.
// Parameters: $id, $rows (maps: order, round, entity, guidance, entity_id, claim_id).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (c:HoptrailClaim {id: row.claim_id})
USING INDEX SEEK c:HoptrailClaim(id)
CREATE (a)-[:TRACED {
  order: row.order, round: row.round, entity: row.entity, guidance: row.guidance, entity_id: row.entity_id
}]->(c)
