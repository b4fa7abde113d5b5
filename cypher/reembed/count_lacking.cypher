// How many texts lack a vector of the encoder that the graph is being moved to.
// Parameters: none.
// Columns: lacking.
RETURN COUNT { MATCH (p:HoptrailPassage) WHERE p.embedding_next IS NULL }
  + COUNT { MATCH (t:HoptrailTriple) WHERE t.embedding IS NOT NULL AND t.embedding_next IS NULL } AS lacking
