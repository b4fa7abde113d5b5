// Which vector indexes there are already, perhaps of an encoder whose graph is gone.
// Parameters: none.
// Columns: name, dimension.
SHOW VECTOR INDEXES YIELD name, options
WHERE name IN ['hoptrail_passage_embedding', 'hoptrail_triple_embedding']
RETURN name, options.indexConfig['vector.dimensions'] AS dimension
