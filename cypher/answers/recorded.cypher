// A page of all recorded answers with their questions, by id.
// Parameters: $after (an id, not among them), $limit.
// Columns: id, question_id, question, created_at, abstained.
MATCH (a:HoptrailAnswer)
WHERE a.id > $after
MATCH (q:HoptrailQuestion)-[:ANSWERED_BY]->(a)
RETURN a.id AS id, q.id AS question_id, q.text AS question,
  a.created_at AS created_at, a.abstained AS abstained
ORDER BY id
LIMIT $limit
