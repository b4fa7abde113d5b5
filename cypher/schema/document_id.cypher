// A document is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE
