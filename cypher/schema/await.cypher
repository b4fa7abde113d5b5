// Wait until indexes are populated and serve; others' are not waited for.
// Parameters: $names, $seconds (each at most; an error after that).
// Columns: none.
UNWIND $names AS name
CALL db.awaitIndex(name, $seconds)
