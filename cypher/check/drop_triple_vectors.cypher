// Take unusable vectors from triples.
// Parameters: $ids (triple ids).
// Columns: none.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
USING INDEX SEEK t:Triple(id)
REMOVE t.embedding
