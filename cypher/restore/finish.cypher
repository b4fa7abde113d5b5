// Take the mark of a restoration away: the graph is whole.
// Parameters: none.
// Columns: none.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
REMOVE g.restoring
