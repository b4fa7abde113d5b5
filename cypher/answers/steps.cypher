// Tie an answer to the triples of its chains; what the graph does not hold is passed over.
// Parameters: $id, $rows (maps: chain, order, score, triple_id, passage_ids).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (t:HoptrailTriple {id: row.triple_id})
USING INDEX SEEK t:HoptrailTriple(id)
WITH a, t, row, [id IN row.passage_ids WHERE EXISTS { MATCH (:HoptrailPassage {id: id}) }] AS passage_ids
CREATE (a)-[:STEP {chain: row.chain, order: row.order, score: row.score, passage_ids: passage_ids}]->(t)
