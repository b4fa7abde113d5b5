// Questions without an answer.
// Parameters: none.
// Columns: id, text.
MATCH (q:Question)
WHERE NOT EXISTS { (q)-[:ANSWERED_BY]->(:Answer) }
RETURN q.id AS id, q.text AS text
ORDER BY id
