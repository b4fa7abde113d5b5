// Keep what linked documents.
// Parameters: $ids (document ids), $maker (its fingerprint; null takes the mark off).
// Columns: none.
UNWIND $ids AS id
MATCH (d:HoptrailDocument {id: id})
USING INDEX SEEK d:HoptrailDocument(id)
SET d.linked_by = $maker
