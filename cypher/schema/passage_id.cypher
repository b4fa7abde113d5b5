// A passage is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_passage_id IF NOT EXISTS FOR (n:HoptrailPassage) REQUIRE n.id IS UNIQUE
