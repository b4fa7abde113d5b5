// How many of each.
// Parameters: none.
// Columns: one for each count, in the order of Graph.statistics.
RETURN COUNT { (:HoptrailDocument) } AS documents,
  COUNT { (:HoptrailPassage) } AS passages,
  COUNT { (:HoptrailEntity) } AS entities,
  COUNT { (:HoptrailTriple) } AS triples,
  COUNT { (:HoptrailPassage)-[:STATES]->() } AS statements,
  COUNT { (:HoptrailPassage)-[:MENTIONS]->() } AS mentions,
  COUNT { (:HoptrailPassage)-[:NEXT]->() } AS next,
  COUNT { (:HoptrailPassage)-[:SHARES_KEYWORD]->() } AS shares_keyword,
  COUNT { (:HoptrailPassage)-[:NAMES]->() } AS names,
  COUNT { (:HoptrailEntity)-[:RELATES_TO]->() } AS relates_to,
  COUNT { (:HoptrailQuestion) } AS questions,
  COUNT { (:HoptrailAnswer) } AS answers,
  COUNT { (:HoptrailFailure) } AS failures,
  COUNT { MATCH (t:HoptrailTriple) WHERE t.embedding IS NOT NULL } AS embedded_triples,
  COUNT { (:HoptrailItem) } AS items,
  COUNT { (:HoptrailEntity)-[:DENOTES]->() } AS links,
  COUNT { (:HoptrailClaim) } AS claims
