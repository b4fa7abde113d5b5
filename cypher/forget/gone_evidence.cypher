// Drop passages that are gone from the steps of recorded answers.
// Parameters: $ids (passage ids).
// Columns: none.
MATCH (:HoptrailAnswer)-[s:STEP]->(:HoptrailTriple)
WHERE any(id IN s.passage_ids WHERE id IN $ids)
SET s.passage_ids = [id IN s.passage_ids WHERE NOT id IN $ids]
