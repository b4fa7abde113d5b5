// A triple is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT triple_id IF NOT EXISTS FOR (n:Triple) REQUIRE n.id IS UNIQUE
