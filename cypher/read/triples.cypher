// Triples by id.
// Parameters: $ids, $names (of properties).
// Columns: id, held (the values, in the order of $names; null for what a node lacks).
UNWIND $ids AS id
MATCH (n:HoptrailTriple {id: id})
USING INDEX SEEK n:HoptrailTriple(id)
RETURN n.id AS id, [name IN $names | n[name]] AS held
