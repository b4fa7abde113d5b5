// Wait until every index is populated and serves.
// Parameters: $seconds (at most; an error after that).
// Columns: none.
CALL db.awaitIndexes($seconds)
