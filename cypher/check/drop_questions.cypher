// Delete questions.
// Parameters: $ids (question ids).
// Columns: none.
UNWIND $ids AS id
MATCH (q:Question {id: id})
USING INDEX SEEK q:Question(id)
DETACH DELETE q
