// A source that could not be read is one node; its id is a hash, for a source may be longer than an index key.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_failure_id IF NOT EXISTS FOR (n:HoptrailFailure) REQUIRE n.id IS UNIQUE
