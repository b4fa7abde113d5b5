// Passages that steps of recorded answers rest on, though they are gone.
// Parameters: none.
// Columns: id.
MATCH (:Answer)-[s:STEP]->(:Triple)
UNWIND s.passage_ids AS id
WITH DISTINCT id
WHERE NOT EXISTS { MATCH (:Passage {id: id}) }
RETURN id
ORDER BY id
