// How many passages documents have.
// Parameters: $ids (document ids).
// Columns: id, passages.
UNWIND $ids AS id
MATCH (d:HoptrailDocument {id: id})
USING INDEX SEEK d:HoptrailDocument(id)
RETURN d.id AS id, COUNT { (d)-[:HAS_PASSAGE]->() } AS passages
