// Sources that could not be read.
// Parameters: none.
// Columns: source, reason; by source.
MATCH (f:HoptrailFailure)
RETURN f.source AS source, f.reason AS reason
ORDER BY source
