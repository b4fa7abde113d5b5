// Delete some of what a restoration that broke off has left; GraphInfo stays.
// Parameters: $limit (nodes).
// Columns: gone (how many nodes).
MATCH (n:HoptrailDocument|HoptrailPassage|HoptrailEntity|HoptrailTriple|HoptrailQuestion|HoptrailAnswer|HoptrailQuestionTriple|HoptrailTerm|HoptrailFailure|HoptrailParameters|HoptrailItem|HoptrailClaim)
WITH n
LIMIT $limit
DETACH DELETE n
RETURN count(*) AS gone
