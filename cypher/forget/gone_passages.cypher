// Delete passages that did not come back.
// Parameters: $ids (passage ids).
// Columns: none.
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
DETACH DELETE p
