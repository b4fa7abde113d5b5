// Part triples from entities that are not their tails.
// Parameters: $rows (maps: triple_id, entity_id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:Triple {id: row.triple_id})-[r:TAIL]->(:Entity {id: row.entity_id})
USING INDEX SEEK asked:Triple(id)
DELETE r
