// Take out what is stated of these items.
// Parameters: $ids (QIDs).
// Columns: none.
UNWIND $ids AS id
MATCH (i:HoptrailItem {id: id})-[:HAS_CLAIM]->(c:HoptrailClaim)
USING INDEX SEEK i:HoptrailItem(id)
DETACH DELETE c
