// Answers of these ids, to these questions, or whose evidence holds one of these triples, passages or claims.
// Parameters: $ids (of answers, questions, triples, passages or claims).
// Columns: id (of the answer).
UNWIND $ids AS id
CALL (id) {
  MATCH (a:HoptrailAnswer {id: id})
  USING INDEX SEEK a:HoptrailAnswer(id)
  RETURN a
  UNION
  MATCH (q:HoptrailQuestion {id: id})-[:ANSWERED_BY]->(a:HoptrailAnswer)
  USING INDEX SEEK q:HoptrailQuestion(id)
  RETURN a
  UNION
  MATCH (t:HoptrailTriple {id: id})<-[:STEP|TRACED]-(a:HoptrailAnswer)
  USING INDEX SEEK t:HoptrailTriple(id)
  RETURN a
  UNION
  MATCH (p:HoptrailPassage {id: id})<-[:CITES]-(a:HoptrailAnswer)
  USING INDEX SEEK p:HoptrailPassage(id)
  RETURN a
  UNION
  MATCH (c:HoptrailClaim {id: id})<-[:STEP|CITES|TRACED]-(a:HoptrailAnswer)
  USING INDEX SEEK c:HoptrailClaim(id)
  RETURN a
}
RETURN DISTINCT a.id AS id
