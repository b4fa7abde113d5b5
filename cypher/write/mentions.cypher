// Tie passages to the entities they mention.
// Parameters: $rows (maps: passage_id, entity_id, surface; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.passage_id})
USING INDEX SEEK p:HoptrailPassage(id)
MATCH (e:HoptrailEntity {id: row.entity_id})
USING INDEX SEEK e:HoptrailEntity(id)
CREATE (p)-[:MENTIONS {surface: row.surface}]->(e)
