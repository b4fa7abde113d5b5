// Write what is stated of items that are there, and lead to the items that are its values, where these are there;
// RELATES_TO is what people write Cypher over.
// Parameters: $rows (maps: id, item_id, value_id, name and what else is to be written; sorted by id).
// Columns: none.
UNWIND $rows AS row
MATCH (i:HoptrailItem {id: row.item_id})
USING INDEX SEEK i:HoptrailItem(id)
MERGE (c:HoptrailClaim {id: row.id})
SET c = row
MERGE (i)-[:HAS_CLAIM]->(c)
WITH row, i, c
MATCH (v:HoptrailItem {id: row.value_id})
USING INDEX SEEK v:HoptrailItem(id)
MERGE (c)-[:VALUE]->(v)
MERGE (i)-[:RELATES_TO {relation: row.relation, claim_id: row.id}]->(v)
