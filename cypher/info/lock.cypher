// Take the writers' lock: whoever holds it sees a settled graph, so that what is derived comes out exact.
// Setting a property, even to itself, locks the node until the transaction ends.
// Parameters: none.
// Columns: info (map of GraphInfo's properties); no row before the graph is prepared.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g.schema_version = g.schema_version
RETURN properties(g) AS info
