// Fitted parameters are one node for each kind, found by it.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT parameters_id IF NOT EXISTS FOR (n:Parameters) REQUIRE n.id IS UNIQUE
