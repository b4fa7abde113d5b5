// Mark that the new vectors are being put in the place of the old ones: until they are, no vector is to be trusted.
// Parameters: none.
// Columns: none.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g.switching = true
