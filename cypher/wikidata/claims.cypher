// What is stated of items.
// Parameters: $ids (QIDs), $names (of properties).
// Columns: held (the values, in the order of $names).
UNWIND $ids AS id
MATCH (i:HoptrailItem {id: id})-[:HAS_CLAIM]->(c:HoptrailClaim)
USING INDEX SEEK i:HoptrailItem(id)
RETURN [name IN $names | c[name]] AS held
