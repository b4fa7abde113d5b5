// A triple is one node, found by its id.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_triple_id IF NOT EXISTS FOR (n:HoptrailTriple) REQUIRE n.id IS UNIQUE
