// The passages of a document.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX hoptrail_passage_document IF NOT EXISTS FOR (p:HoptrailPassage) ON (p.document_id)
