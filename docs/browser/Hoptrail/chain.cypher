// A question's chain: what filled its masks (Semi-Structured CoT)
// Question, answer, each mask's triple in the order of the masks, with its ends and the passages that state it, or the items of a claim of Wikidata.
// :param id => 'the id that `hoptrail ask --json` prints'
MATCH path = (:HoptrailQuestion)-[:ANSWERED_BY]->(:HoptrailAnswer {id: $id})
  -[e:TRACED]->(:HoptrailTriple|HoptrailClaim)((:HoptrailTriple|HoptrailClaim)-[:HEAD|TAIL|STATES|HAS_CLAIM|VALUE]-()){0,1}
RETURN path
ORDER BY e.round, e.order, [r IN relationships(path) | type(r)]
