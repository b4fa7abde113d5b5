// Passages by id.
// Parameters: $ids, $names (of properties).
// Columns: id, held (the values, in the order of $names; null for what a node lacks).
UNWIND $ids AS id
MATCH (n:HoptrailPassage {id: id})
USING INDEX SEEK n:HoptrailPassage(id)
RETURN n.id AS id, [name IN $names | n[name]] AS held
