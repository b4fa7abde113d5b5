// Answers of these ids, to these questions, or whose evidence holds one of these triples or passages.
// Parameters: $ids (of answers, questions, triples or passages).
// Columns: id (of the answer).
UNWIND $ids AS id
CALL (id) {
  MATCH (a:Answer {id: id}) RETURN a
  UNION
  MATCH (:Question {id: id})-[:ANSWERED_BY]->(a:Answer) RETURN a
  UNION
  MATCH (:Triple {id: id})<-[:STEP]-(a:Answer) RETURN a
  UNION
  MATCH (:Passage {id: id})<-[:CITES]-(a:Answer) RETURN a
}
RETURN DISTINCT a.id AS id
