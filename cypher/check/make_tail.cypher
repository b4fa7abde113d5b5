// Tie triples to their tails.
// Parameters: $rows (maps: triple_id, entity_id).
// Columns: none.
UNWIND $rows AS row
MATCH (t:Triple {id: row.triple_id})
USING INDEX SEEK t:Triple(id)
MATCH (e:Entity {id: row.entity_id})
USING INDEX SEEK e:Entity(id)
CREATE (t)-[:TAIL]->(e)
