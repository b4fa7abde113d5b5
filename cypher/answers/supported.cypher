// Answers with a step that one of these passages supports.
// Parameters: $ids (passage ids).
// Columns: id (of the answer).
MATCH (a:HoptrailAnswer)-[s:STEP]->(:HoptrailTriple)
WHERE any(id IN s.passage_ids WHERE id IN $ids)
RETURN DISTINCT a.id AS id
