// Record sources that could not be read.
// Parameters: $rows (maps: id, source, reason, failed_at).
// Columns: none.
UNWIND $rows AS row
CREATE (f:HoptrailFailure)
SET f = row
