// The passages of a document.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX passage_document IF NOT EXISTS FOR (p:Passage) ON (p.document_id)
