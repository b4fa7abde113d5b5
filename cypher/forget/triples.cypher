// Delete triples.
// Parameters: $ids (triple ids).
// Columns: none.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
DETACH DELETE t
