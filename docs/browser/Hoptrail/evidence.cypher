// An answer's evidence, in order
// Question, answer, each step of its chains with the triple's ends and the passages that state it, or a claim's items, then what it cites.
// :param id => 'the id that `hoptrail ask --json` prints'
MATCH path = (:HoptrailQuestion)-[:ANSWERED_BY]->(:HoptrailAnswer {id: $id})
  -[e:STEP|CITES]->()((:HoptrailTriple|HoptrailClaim)-[:HEAD|TAIL|STATES|HAS_CLAIM|VALUE]-()){0,1}
RETURN path
ORDER BY type(e) DESC, e.chain, e.order, e.rank, [r IN relationships(path) | type(r)]
