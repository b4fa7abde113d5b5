// Take out what is stated of these items.
// Parameters: $ids (QIDs).
// Columns: none.
UNWIND $ids AS id
MATCH (i:HoptrailItem {id: id})-[:HAS_CLAIM]->(c:HoptrailClaim)
USING INDEX SEEK i:HoptrailItem(id)
OPTIONAL MATCH (i)-[r:RELATES_TO {claim_id: c.id}]->(:HoptrailItem)
DELETE r
DETACH DELETE c
