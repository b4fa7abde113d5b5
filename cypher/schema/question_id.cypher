// A question is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT question_id IF NOT EXISTS FOR (n:Question) REQUIRE n.id IS UNIQUE
