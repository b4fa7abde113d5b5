// Triples by id.
// Parameters: $ids.
// Columns: id, embedding (float[d]).
UNWIND $ids AS id
MATCH (n:Triple {id: id})
USING INDEX SEEK n:Triple(id)
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, n.embedding AS embedding
