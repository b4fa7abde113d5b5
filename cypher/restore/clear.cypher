// Delete some of what a restoration that broke off has left; GraphInfo stays.
// Parameters: $limit (nodes).
// Columns: gone (how many nodes).
MATCH (n:Document|Passage|Entity|Triple|Question|Answer|Term|Failure|Parameters)
WITH n
LIMIT $limit
DETACH DELETE n
RETURN count(*) AS gone
