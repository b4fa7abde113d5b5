// An entity is one node, found by the normal form of its names.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_entity_id IF NOT EXISTS FOR (n:HoptrailEntity) REQUIRE n.id IS UNIQUE
