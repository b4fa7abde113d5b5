// Take the writers' lock, and see whether this restoration is still the one that writes.
// Parameters: $token.
// Columns: id; no row when another one has begun since.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g.schema_version = g.schema_version
WITH g
WHERE g.restoring = $token
RETURN g.id AS id
