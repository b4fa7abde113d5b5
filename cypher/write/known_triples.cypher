// Which of these triples are there already.
// Parameters: $ids (triple ids).
// Columns: id.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
USING INDEX SEEK t:Triple(id)
RETURN t.id AS id
