// Items by QID.
// Parameters: $ids, $names (of properties).
// Columns: id, held (the values, in the order of $names).
UNWIND $ids AS id
MATCH (n:HoptrailItem {id: id})
USING INDEX SEEK n:HoptrailItem(id)
RETURN n.id AS id, [name IN $names | n[name]] AS held
