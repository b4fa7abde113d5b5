// Delete questions.
// Parameters: $ids (question ids).
// Columns: none.
UNWIND $ids AS id
MATCH (q:HoptrailQuestion {id: id})
USING INDEX SEEK q:HoptrailQuestion(id)
DETACH DELETE q
