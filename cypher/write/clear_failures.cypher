// Forget failures: the source was read, or fails anew.
// Parameters: $ids (failure ids).
// Columns: none.
UNWIND $ids AS id
MATCH (f:HoptrailFailure {id: id})
USING INDEX SEEK f:HoptrailFailure(id)
DELETE f
