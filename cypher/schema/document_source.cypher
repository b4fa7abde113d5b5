// Documents by source; a text index takes longer ones than a range index.
// Parameters: none.
// Columns: none.
CREATE TEXT INDEX hoptrail_document_source IF NOT EXISTS FOR (d:HoptrailDocument) ON (d.source)
