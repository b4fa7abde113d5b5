// Record a question with an answer.
// Parameters: $question (map: id, text), $answer (map of all properties).
// Columns: none.
MERGE (q:Question {id: $question.id})
SET q += $question
CREATE (q)-[:ANSWERED_BY]->(a:Answer)
SET a = $answer
