// Delete answers.
// Parameters: $ids (answer ids).
// Columns: id (of their questions), answers (how many were deleted).
UNWIND $ids AS id
MATCH (a:HoptrailAnswer {id: id})
USING INDEX SEEK a:HoptrailAnswer(id)
MATCH (q:HoptrailQuestion)-[:ANSWERED_BY]->(a)
DETACH DELETE a
RETURN q.id AS id, count(*) AS answers
