// A stem is one node.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT term_id IF NOT EXISTS FOR (n:Term) REQUIRE n.id IS UNIQUE
