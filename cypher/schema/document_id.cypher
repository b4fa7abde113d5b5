// A document is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_document_id IF NOT EXISTS FOR (n:HoptrailDocument) REQUIRE n.id IS UNIQUE
