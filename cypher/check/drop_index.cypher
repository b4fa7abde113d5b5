// Drop an index whose making failed: it can't be mended, only made anew.
// Parameters: $name.
// Columns: none.
DROP INDEX $name IF EXISTS
