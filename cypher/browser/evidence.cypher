// An answer's evidence as paths, in order: each step of its chains with the triple's ends and the passages that state
// it, or the items of a claim of Wikidata, then what the answer cites. People run it in Neo4j Browser.
// Parameters: $id (of the answer).
// Columns: path (from the question).
MATCH path = (:HoptrailQuestion)-[:ANSWERED_BY]->(:HoptrailAnswer {id: $id})
  -[e:STEP|CITES]->()((:HoptrailTriple|HoptrailClaim)-[:HEAD|TAIL|STATES|HAS_CLAIM|VALUE]-()){0,1}
RETURN path
ORDER BY type(e) DESC, e.chain, e.order, e.rank, [r IN relationships(path) | type(r)]
