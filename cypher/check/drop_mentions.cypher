// Part passages from entities, also where they are tied twice.
// Parameters: $rows (maps: passage_id, entity_id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailPassage {id: row.passage_id})-[r:MENTIONS]->(:HoptrailEntity {id: row.entity_id})
USING INDEX SEEK asked:HoptrailPassage(id)
DELETE r
