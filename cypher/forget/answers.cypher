// Delete answers, with the triples of their questions' own graphs.
// Parameters: $ids (answer ids).
// Columns: id (of their questions), answers (how many were deleted).
UNWIND $ids AS id
MATCH (a:HoptrailAnswer {id: id})
USING INDEX SEEK a:HoptrailAnswer(id)
MATCH (q:HoptrailQuestion)-[:ANSWERED_BY]->(a)
CALL (a) {
  MATCH (a)-[:ASKED]->(t:HoptrailQuestionTriple)
  DETACH DELETE t
}
DETACH DELETE a
RETURN q.id AS id, count(*) AS answers
