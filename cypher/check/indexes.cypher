// Indexes, those behind constraints among them.
// Parameters: none.
// Columns: name, state, dimension (of vectors, else null).
SHOW INDEXES YIELD name, state, options
RETURN name, state, options.indexConfig['vector.dimensions'] AS dimension
