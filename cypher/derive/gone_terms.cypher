// Delete those of these stems that no passage holds any more.
// Parameters: $ids (stems).
// Columns: none.
UNWIND $ids AS id
MATCH (t:HoptrailTerm {id: id})
USING INDEX SEEK t:HoptrailTerm(id)
WHERE t.passages = 0
DELETE t
