// Remember which encoder the graph is being moved to, or that it is being moved to none.
// Parameters: $target (the encoder's fingerprint as JSON, or null).
// Columns: none.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g.next_encoder = $target
