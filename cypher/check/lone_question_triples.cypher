// Triples of a question's own graph whose answer is gone.
// Parameters: none.
// Columns: id.
MATCH (q:HoptrailQuestionTriple)
WHERE NOT EXISTS { (:HoptrailAnswer)-[:ASKED]->(q) }
RETURN q.id AS id
ORDER BY id
