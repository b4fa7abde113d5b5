// An entity is one node, found by the normal form of its names.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE
