// A passage is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT passage_id IF NOT EXISTS FOR (n:Passage) REQUIRE n.id IS UNIQUE
