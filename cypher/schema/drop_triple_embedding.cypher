// Drop the vector index of triples: one of another dimension can't be changed, only made anew.
// Parameters: none.
// Columns: none.
DROP INDEX hoptrail_triple_embedding IF EXISTS
