// Keep new vectors of triples beside the old ones.
// Parameters: $rows (maps: id, embedding (float[d])).
// Columns: none.
UNWIND $rows AS row
MATCH (t:HoptrailTriple {id: row.id})
USING INDEX SEEK t:HoptrailTriple(id)
WHERE t.embedding IS NOT NULL
CALL db.create.setNodeVectorProperty(t, 'embedding_next', row.embedding)
