// A question is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_question_id IF NOT EXISTS FOR (n:HoptrailQuestion) REQUIRE n.id IS UNIQUE
