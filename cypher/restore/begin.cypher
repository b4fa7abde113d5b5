// Mark the graph as one that is being restored, and by whom.
// Parameters: $info (map: schema_version, created_by, created_at, the encoder's fingerprint, restoring).
// Columns: none.
MERGE (g:HoptrailGraphInfo {id: 'graph'})
SET g += $info
