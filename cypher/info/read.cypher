// The GraphInfo node.
// Parameters: none.
// Columns: info (map of its properties); no row before the graph is prepared.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN properties(g) AS info
