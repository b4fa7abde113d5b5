// Tie an answer to the triples of its own graph, with what brought each; what the graph does not hold is passed over.
// Parameters: $id, $rows (maps: order, round, entity, guidance, entity_id, triple_id).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (t:HoptrailTriple {id: row.triple_id})
USING INDEX SEEK t:HoptrailTriple(id)
CREATE (a)-[:TRACED {
  order: row.order, round: row.round, entity: row.entity, guidance: row.guidance, entity_id: row.entity_id
}]->(t)
