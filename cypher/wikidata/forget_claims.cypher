// Take out all that is stated.
// Parameters: none.
// Columns: claims (how many).
MATCH (c:HoptrailClaim)
DETACH DELETE c
RETURN count(*) AS claims
