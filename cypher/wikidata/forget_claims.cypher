// Take out all that is stated.
// Parameters: none.
// Columns: claims (how many).
MATCH (c:HoptrailClaim)<-[:HAS_CLAIM]-(i:HoptrailItem)
OPTIONAL MATCH (i)-[r:RELATES_TO {claim_id: c.id}]->(:HoptrailItem)
DELETE r
DETACH DELETE c
RETURN count(DISTINCT c) AS claims
