// How many of each.
// Parameters: none.
// Columns: one for each count, in the order of Graph.statistics.
RETURN COUNT { (:Document) } AS documents,
  COUNT { (:Passage) } AS passages,
  COUNT { (:Entity) } AS entities,
  COUNT { (:Triple) } AS triples,
  COUNT { ()-[:STATES]->() } AS statements,
  COUNT { ()-[:MENTIONS]->() } AS mentions,
  COUNT { ()-[:NEXT]->() } AS next,
  COUNT { ()-[:SHARES_KEYWORD]->() } AS shares_keyword,
  COUNT { ()-[:NAMES]->() } AS names,
  COUNT { ()-[:RELATES_TO]->() } AS relates_to,
  COUNT { (:Question) } AS questions,
  COUNT { (:Answer) } AS answers,
  COUNT { (:Failure) } AS failures,
  COUNT { MATCH (t:Triple) WHERE t.embedding IS NOT NULL } AS embedded_triples
