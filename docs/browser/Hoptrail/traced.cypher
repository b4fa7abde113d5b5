// The graph that was traced for an answer
// Question, answer, where its graph began, each triple in order with its ends, and what the answer names of it.
// :param id => 'the id that `hoptrail ask --json` prints'
MATCH path = (:HoptrailQuestion)-[:ANSWERED_BY]->(:HoptrailAnswer {id: $id})
  -[e:BEGAN_AT|TRACED|LED_TO]->()((:HoptrailTriple)-[:HEAD|TAIL]->()){0,1}
RETURN path
ORDER BY type(e), e.order, [r IN relationships(path) | type(r)]
