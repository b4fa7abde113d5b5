// Count the passages that hold each stem, afresh.
// Parameters: none.
// Columns: none.
MATCH (p:Passage)
UNWIND p.terms AS id
WITH id, count(*) AS passages
MERGE (t:Term {id: id})
SET t.passages = passages
