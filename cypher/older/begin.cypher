// Mark the graph as one whose nodes are being given labels with a prefix; older programs refuse a newer version.
// Parameters: $version (of the schema).
// Columns: none.
MATCH (g:GraphInfo {id: 'graph'})
WHERE g.created_by STARTS WITH 'hoptrail' AND g.migrating IS NULL
SET g.migrating = g.schema_version, g.schema_version = $version
