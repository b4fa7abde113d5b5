// Delete the navigable edges of triples.
// Parameters: $ids (triple ids).
// Columns: none.
UNWIND $ids AS id
MATCH (:HoptrailEntity)-[r:RELATES_TO {triple_id: id}]->(:HoptrailEntity)
USING INDEX SEEK r:RELATES_TO(triple_id)
DELETE r
