// Drop the vector index of passages: one of another dimension can't be changed, only made anew.
// Parameters: none.
// Columns: none.
DROP INDEX hoptrail_passage_embedding IF EXISTS
