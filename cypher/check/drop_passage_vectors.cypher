// Take unusable vectors from passages.
// Parameters: $ids (passage ids).
// Columns: none.
UNWIND $ids AS id
MATCH (p:Passage {id: id})
USING INDEX SEEK p:Passage(id)
REMOVE p.embedding
