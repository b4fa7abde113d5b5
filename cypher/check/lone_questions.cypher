// Questions without an answer.
// Parameters: none.
// Columns: id, text.
MATCH (q:HoptrailQuestion)
WHERE NOT EXISTS { (q)-[:ANSWERED_BY]->(:HoptrailAnswer) }
RETURN q.id AS id, q.text AS text
ORDER BY id
