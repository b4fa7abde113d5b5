// How many passages there are.
// Parameters: none.
// Columns: passages.
MATCH (p:Passage)
RETURN count(p) AS passages
