// Which of these triples no passage states any more.
// Parameters: $ids (triple ids).
// Columns: id.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
USING INDEX SEEK t:Triple(id)
WHERE NOT EXISTS { (t)<-[:STATES]-() }
RETURN t.id AS id
