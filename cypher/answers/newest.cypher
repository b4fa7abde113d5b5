// Recorded answers with their questions, the newest first, from a time and an id on.
// "<>" and not "<": of two ranges the planner makes two seeks, reads them all and sorts.
// Parameters: $created_at, $id (of an answer, not among them), $limit.
// Columns: id, question_id, question, created_at, abstained.
MATCH (a:HoptrailAnswer)
WHERE a.created_at <= $created_at AND a.id IS NOT NULL
  AND (a.created_at <> $created_at OR a.id < $id)
WITH a ORDER BY a.created_at DESC, a.id DESC LIMIT $limit
MATCH (q:HoptrailQuestion)-[:ANSWERED_BY]->(a)
RETURN a.id AS id, q.id AS question_id, q.text AS question,
  a.created_at AS created_at, a.abstained AS abstained
ORDER BY created_at DESC, id DESC
