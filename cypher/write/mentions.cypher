// Tie passages to the entities they mention.
// Parameters: $rows (maps: passage_id, entity_id, surface; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (p:Passage {id: row.passage_id})
USING INDEX SEEK p:Passage(id)
MATCH (e:Entity {id: row.entity_id})
USING INDEX SEEK e:Entity(id)
CREATE (p)-[:MENTIONS {surface: row.surface}]->(e)
