// Drop an index that can't be mended or changed, only made anew.
// Parameters: $name.
// Columns: none.
DROP INDEX $name IF EXISTS
