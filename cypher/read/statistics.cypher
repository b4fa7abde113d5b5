// How many of each.
// Parameters: none.
// Columns: one for each count, in the order of Graph.statistics.
RETURN COUNT { (:HoptrailDocument) } AS documents,
  COUNT { (:HoptrailPassage) } AS passages,
  COUNT { (:HoptrailEntity) } AS entities,
  COUNT { (:HoptrailTriple) } AS triples,
  COUNT { ()-[:STATES]->() } AS statements,
  COUNT { ()-[:MENTIONS]->() } AS mentions,
  COUNT { ()-[:NEXT]->() } AS next,
  COUNT { ()-[:SHARES_KEYWORD]->() } AS shares_keyword,
  COUNT { ()-[:NAMES]->() } AS names,
  COUNT { ()-[:RELATES_TO]->() } AS relates_to,
  COUNT { (:HoptrailQuestion) } AS questions,
  COUNT { (:HoptrailAnswer) } AS answers,
  COUNT { (:HoptrailFailure) } AS failures,
  COUNT { MATCH (t:HoptrailTriple) WHERE t.embedding IS NOT NULL } AS embedded_triples
