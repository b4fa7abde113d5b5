// Hang passages on their documents.
// Parameters: $rows (maps: id, document_id).
// Columns: none.
UNWIND $rows AS row
MATCH (d:Document {id: row.document_id})
USING INDEX SEEK d:Document(id)
MATCH (p:Passage {id: row.id})
USING INDEX SEEK p:Passage(id)
CREATE (d)-[:HAS_PASSAGE]->(p)
