// A triple of a question's own graph is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_question_triple_id IF NOT EXISTS FOR (n:HoptrailQuestionTriple) REQUIRE n.id IS UNIQUE
