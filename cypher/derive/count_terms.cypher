// Count the passages that hold each stem, afresh.
// Parameters: none.
// Columns: none.
MATCH (p:HoptrailPassage)
UNWIND p.terms AS id
WITH id, count(*) AS passages
MERGE (t:HoptrailTerm {id: id})
SET t.passages = passages
