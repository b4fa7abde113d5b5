// Indexes of whoever made them, those behind constraints among them.
// Parameters: none.
// Columns: name, type, on (labels or relationship types), properties, state, unique (whether a constraint stands on it), dimension (of vectors, else null).
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, state, owningConstraint, options
WHERE type <> 'LOOKUP'
RETURN name, type, labelsOrTypes AS on, properties, state, owningConstraint IS NOT NULL AS unique,
  options.indexConfig['vector.dimensions'] AS dimension
