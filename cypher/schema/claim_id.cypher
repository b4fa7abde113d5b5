// What Wikidata states is one node a statement.
// Parameters: none.
// Columns: none.
CREATE CONSTRAINT hoptrail_claim_id IF NOT EXISTS FOR (n:HoptrailClaim) REQUIRE n.id IS UNIQUE
