// Record a question with an answer.
// Parameters: $question (map: id, text), $answer (map of all properties).
// Columns: none.
MERGE (q:HoptrailQuestion {id: $question.id})
SET q += $question
CREATE (q)-[:ANSWERED_BY]->(a:HoptrailAnswer)
SET a = $answer
