// An item of Wikidata is one node.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_item_id IF NOT EXISTS FOR (n:HoptrailItem) REQUIRE n.id IS UNIQUE
