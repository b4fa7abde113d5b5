// Delete triples.
// Parameters: $ids (triple ids).
// Columns: none.
UNWIND $ids AS id
MATCH (t:HoptrailTriple {id: id})
USING INDEX SEEK t:HoptrailTriple(id)
DETACH DELETE t
