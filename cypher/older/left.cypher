// Labels of older versions that nodes still have: others'.
// Parameters: none.
// Columns: label.
MATCH (n:Document|Passage|Entity|Triple|Question|Answer|Term|Failure|Parameters|GraphInfo)
UNWIND labels(n) AS label
RETURN DISTINCT label
