// DENOTES edges by the document in which the entity means the item.
// Parameters: none.
// Columns: none.
CREATE RANGE INDEX hoptrail_denotes_document IF NOT EXISTS FOR ()-[r:DENOTES]-() ON (r.document_id)
