// Give the GraphInfo node, as the last of all, its label with the prefix.
// Parameters: $label.
// Columns: none.
MATCH (g:GraphInfo {id: 'graph'})
WHERE g.migrating IS NOT NULL
SET g.schema_version = g.migrating
REMOVE g:GraphInfo, g.migrating
SET g:$($label)
