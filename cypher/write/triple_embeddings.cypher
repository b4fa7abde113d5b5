// Keep vectors of triples that had none.
// Parameters: $rows (maps: id, embedding (float[d])).
// Columns: none.
UNWIND $rows AS row
MATCH (t:HoptrailTriple {id: row.id})
USING INDEX SEEK t:HoptrailTriple(id)
WHERE t.embedding IS NULL
CALL db.create.setNodeVectorProperty(t, 'embedding', row.embedding)
