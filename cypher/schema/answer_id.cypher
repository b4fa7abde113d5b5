// An answer is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT answer_id IF NOT EXISTS FOR (n:Answer) REQUIRE n.id IS UNIQUE
