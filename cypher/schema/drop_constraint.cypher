// Drop a constraint, and the index that stands on it.
// Parameters: $name.
// Columns: none.
DROP CONSTRAINT $name IF EXISTS
