// Hang passages on their documents.
// Parameters: $rows (maps: id, document_id).
// Columns: none.
UNWIND $rows AS row
MATCH (d:Document {id: row.document_id})
MATCH (p:Passage {id: row.id})
CREATE (d)-[:HAS_PASSAGE]->(p)
