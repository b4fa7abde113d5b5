// Delete passages that did not come back.
// Parameters: $ids (passage ids).
// Columns: none.
UNWIND $ids AS id
MATCH (p:Passage {id: id})
USING INDEX SEEK p:Passage(id)
DETACH DELETE p
