// Answers whose question is gone.
// Parameters: none.
// Columns: id.
MATCH (a:HoptrailAnswer)
WHERE NOT EXISTS { (:HoptrailQuestion)-[:ANSWERED_BY]->(a) }
RETURN a.id AS id
ORDER BY id
