// Delete triples.
// Parameters: $ids (triple ids).
// Columns: none.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
USING INDEX SEEK t:Triple(id)
DETACH DELETE t
