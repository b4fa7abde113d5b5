// Answers whose question is gone.
// Parameters: none.
// Columns: id.
MATCH (a:Answer)
WHERE NOT EXISTS { (:Question)-[:ANSWERED_BY]->(a) }
RETURN a.id AS id
ORDER BY id
