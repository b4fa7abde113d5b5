// Delete passages that did not come back.
// Parameters: $ids (passage ids).
// Columns: none.
UNWIND $ids AS id
MATCH (p:Passage {id: id})
DETACH DELETE p
