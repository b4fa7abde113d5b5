// Tie an answer to the triples of its chains; what the graph does not hold is passed over.
// Parameters: $id, $rows (maps: chain, order, score, triple_id, passage_ids).
// Columns: none.
MATCH (a:Answer {id: $id})
USING INDEX SEEK a:Answer(id)
UNWIND $rows AS row
MATCH (t:Triple {id: row.triple_id})
USING INDEX SEEK t:Triple(id)
WITH a, t, row, [id IN row.passage_ids WHERE EXISTS { MATCH (:Passage {id: id}) }] AS passage_ids
CREATE (a)-[:STEP {chain: row.chain, order: row.order, score: row.score, passage_ids: passage_ids}]->(t)
