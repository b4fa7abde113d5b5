// Delete document nodes.
// Parameters: $ids (document ids).
// Columns: id (of each that was there), linked (whether its entities were linked to items).
UNWIND $ids AS document_id
MATCH (d:HoptrailDocument {id: document_id})
USING INDEX SEEK d:HoptrailDocument(id)
WITH d, d.id AS id, d.linked_by IS NOT NULL AS linked
DETACH DELETE d
RETURN id, linked
