// Make the GraphInfo node unless it is there.
// Parameters: $info (map: schema_version, created_by, created_at, the encoder's fingerprint).
// Columns: info (map: what is there now).
MERGE (g:HoptrailGraphInfo {id: 'graph'})
ON CREATE SET g += $info
RETURN properties(g) AS info
