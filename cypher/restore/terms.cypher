// Make stems with how many passages hold them.
// Parameters: $rows (maps: id, passages; sorted by id).
// Columns: none.
UNWIND $rows AS row
CREATE (t:HoptrailTerm)
SET t = row
