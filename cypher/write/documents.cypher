// Make document nodes.
// Parameters: $rows (maps of all properties, sorted by id).
// Columns: none.
UNWIND $rows AS row
CREATE (d:HoptrailDocument)
SET d = row
