// Count a change of documents: who reads the graph in several transactions sees whether it stayed the same.
// Parameters: none.
// Columns: none.
MATCH (g:HoptrailGraphInfo {id: 'graph'})
SET g.changes = coalesce(g.changes, 0) + 1
