// Answers of these ids, to these questions, or whose evidence holds one of these triples or passages.
// Parameters: $ids (of answers, questions, triples or passages).
// Columns: id (of the answer).
UNWIND $ids AS id
CALL (id) {
  MATCH (a:Answer {id: id})
  USING INDEX SEEK a:Answer(id)
  RETURN a
  UNION
  MATCH (q:Question {id: id})-[:ANSWERED_BY]->(a:Answer)
  USING INDEX SEEK q:Question(id)
  RETURN a
  UNION
  MATCH (t:Triple {id: id})<-[:STEP]-(a:Answer)
  USING INDEX SEEK t:Triple(id)
  RETURN a
  UNION
  MATCH (p:Passage {id: id})<-[:CITES]-(a:Answer)
  USING INDEX SEEK p:Passage(id)
  RETURN a
}
RETURN DISTINCT a.id AS id
