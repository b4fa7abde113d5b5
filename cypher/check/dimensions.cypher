// How long the vectors of passages are.
// Parameters: none.
// Columns: dimension, passages; the most frequent first.
MATCH (p:HoptrailPassage)
WHERE p.embedding IS NOT NULL
RETURN size(p.embedding) AS dimension, count(*) AS passages
ORDER BY passages DESC, dimension
