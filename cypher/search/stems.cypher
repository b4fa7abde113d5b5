// How many passages hold these stems.
// Parameters: $ids (stems).
// Columns: id, passages.
UNWIND $ids AS id
MATCH (t:Term {id: id})
USING INDEX SEEK t:Term(id)
RETURN t.id AS id, t.passages AS passages
