// Take unusable vectors from passages.
// Parameters: $ids (passage ids).
// Columns: none.
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
REMOVE p.embedding
