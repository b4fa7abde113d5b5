// Triples by id.
// Parameters: $ids.
// Columns: id, head, relation, tail, extractor.
UNWIND $ids AS id
MATCH (n:Triple {id: id})
USING INDEX SEEK n:Triple(id)
RETURN n.id AS id, n.head AS head, n.relation AS relation, n.tail AS tail, n.extractor AS extractor
