// Mark the graph as one of this version.
// Parameters: $version (of the schema).
// Columns: info (map of GraphInfo's properties).
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g.schema_version = $version
RETURN properties(g) AS info
