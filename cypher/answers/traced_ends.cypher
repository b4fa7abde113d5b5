// Tie an answer to the entities where its graph begins, and to those that it names.
// Parameters: $id, $rows (maps: order, kind: initial or target, entity_id).
// Columns: none.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
UNWIND $rows AS row
MATCH (e:HoptrailEntity {id: row.entity_id})
USING INDEX SEEK e:HoptrailEntity(id)
FOREACH (_ IN CASE row.kind WHEN 'initial' THEN [1] ELSE [] END | CREATE (a)-[:BEGAN_AT {order: row.order}]->(e))
FOREACH (_ IN CASE row.kind WHEN 'target' THEN [1] ELSE [] END | CREATE (a)-[:LED_TO {order: row.order}]->(e))
