// A question's own graph
// Question, answer, each triple with variables in order, what these were bound to, and the triples that say so.
// :param id => 'the id that `hoptrail ask --json` prints'
MATCH path = (:HoptrailQuestion)-[:ANSWERED_BY]->(:HoptrailAnswer {id: $id})
  -[e:ASKED]->(:HoptrailQuestionTriple)(()-[:SUPPORTED_BY|READ_IN|BOUND_TO]->()){0,1}
RETURN path
ORDER BY e.order, [r IN relationships(path) | type(r)]
