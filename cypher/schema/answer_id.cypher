// An answer is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_answer_id IF NOT EXISTS FOR (n:HoptrailAnswer) REQUIRE n.id IS UNIQUE
