// How many nodes have labels of a graph.
// Parameters: none.
// Columns: nodes.
MATCH (n:HoptrailDocument|HoptrailPassage|HoptrailEntity|HoptrailTriple|HoptrailQuestion|HoptrailAnswer|HoptrailQuestionTriple|HoptrailTerm|HoptrailFailure|HoptrailParameters|HoptrailItem|HoptrailClaim)
RETURN count(n) AS nodes
