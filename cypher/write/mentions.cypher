// Tie passages to the entities they mention.
// Parameters: $rows (maps: passage_id, entity_id, surface; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (p:Passage {id: row.passage_id})
MATCH (e:Entity {id: row.entity_id})
CREATE (p)-[:MENTIONS {surface: row.surface}]->(e)
