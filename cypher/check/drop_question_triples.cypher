// Delete triples of questions' own graphs.
// Parameters: $ids (their ids).
// Columns: none.
UNWIND $ids AS id
MATCH (q:HoptrailQuestionTriple {id: id})
USING INDEX SEEK q:HoptrailQuestionTriple(id)
DETACH DELETE q
