// Tie triples to their heads.
// Parameters: $rows (maps: triple_id, entity_id).
// Columns: none.
UNWIND $rows AS row
MATCH (t:HoptrailTriple {id: row.triple_id})
USING INDEX SEEK t:HoptrailTriple(id)
MATCH (e:HoptrailEntity {id: row.entity_id})
USING INDEX SEEK e:HoptrailEntity(id)
CREATE (t)-[:HEAD]->(e)
