// Which of these triples are there already.
// Parameters: $ids (triple ids).
// Columns: id.
UNWIND $ids AS id
MATCH (t:HoptrailTriple {id: id})
USING INDEX SEEK t:HoptrailTriple(id)
RETURN t.id AS id
