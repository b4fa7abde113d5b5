// Fitted parameters are one node for each kind, found by it.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_parameters_id IF NOT EXISTS FOR (n:HoptrailParameters) REQUIRE n.id IS UNIQUE
