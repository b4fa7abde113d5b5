// Delete those of some questions that have no answer left.
// Parameters: $ids (question ids).
// Columns: none.
UNWIND $ids AS id
MATCH (q:HoptrailQuestion {id: id})
USING INDEX SEEK q:HoptrailQuestion(id)
WHERE NOT EXISTS { (q)-[:ANSWERED_BY]->(:HoptrailAnswer) }
DETACH DELETE q
