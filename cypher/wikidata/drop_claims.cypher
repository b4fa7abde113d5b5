// Take out what is no longer stated of items; of what is, where it leads. What answers rest on goes on being theirs.
// Parameters: $rows (maps: item_id, kept: ids of the claims that are stated still).
// Columns: none.
UNWIND $rows AS row
MATCH (i:HoptrailItem {id: row.item_id})-[:HAS_CLAIM]->(c:HoptrailClaim)
USING INDEX SEEK i:HoptrailItem(id)
OPTIONAL MATCH (i)-[r:RELATES_TO {claim_id: c.id}]->(:HoptrailItem)
OPTIONAL MATCH (c)-[v:VALUE]->(:HoptrailItem)
DELETE r, v
WITH DISTINCT c, row
WHERE NOT c.id IN row.kept
DETACH DELETE c
