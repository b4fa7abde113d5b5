// Passages that steps of recorded answers rest on, though they are gone.
// Parameters: none.
// Columns: id.
MATCH (:HoptrailAnswer)-[s:STEP]->(:HoptrailTriple)
UNWIND s.passage_ids AS id
WITH DISTINCT id
WHERE NOT EXISTS { MATCH (:HoptrailPassage {id: id}) }
RETURN id
ORDER BY id
