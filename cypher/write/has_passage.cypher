// Hang passages on their documents.
// Parameters: $rows (maps: id, document_id).
// Columns: none.
UNWIND $rows AS row
MATCH (d:HoptrailDocument {id: row.document_id})
USING INDEX SEEK d:HoptrailDocument(id)
MATCH (p:HoptrailPassage {id: row.id})
USING INDEX SEEK p:HoptrailPassage(id)
CREATE (d)-[:HAS_PASSAGE]->(p)
