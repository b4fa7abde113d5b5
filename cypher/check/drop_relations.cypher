// Delete the navigable edges of triples.
// Parameters: $rows (maps: triple_id).
// Columns: none.
UNWIND $rows AS row
MATCH (:HoptrailEntity)-[r:RELATES_TO {triple_id: row.triple_id}]->(:HoptrailEntity)
USING INDEX SEEK r:RELATES_TO(triple_id)
DELETE r
