// Part triples from entities that are not their heads.
// Parameters: $rows (maps: triple_id, entity_id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailTriple {id: row.triple_id})-[r:HEAD]->(:HoptrailEntity {id: row.entity_id})
USING INDEX SEEK asked:HoptrailTriple(id)
DELETE r
