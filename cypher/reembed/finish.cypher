// The graph carries the vectors of another encoder now.
// Parameters: $info (map: the encoder's fingerprint).
// Columns: none.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g += $info
REMOVE g.next_encoder, g.switching
