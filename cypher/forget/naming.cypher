// Passages that name these: without the title a shorter one inside it may be what they name.
// Parameters: $ids (passage ids).
// Columns: id.
UNWIND $ids AS id
MATCH (asked:Passage {id: id})<-[:NAMES]-(p:Passage)
USING INDEX SEEK asked:Passage(id)
RETURN DISTINCT p.id AS id
