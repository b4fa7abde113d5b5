// Which of these triples no passage states any more.
// Parameters: $ids (triple ids).
// Columns: id.
UNWIND $ids AS id
MATCH (t:HoptrailTriple {id: id})
USING INDEX SEEK t:HoptrailTriple(id)
WHERE NOT EXISTS { (t)<-[:STATES]-() }
RETURN t.id AS id
