// A stem is one node.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_term_id IF NOT EXISTS FOR (n:HoptrailTerm) REQUIRE n.id IS UNIQUE
