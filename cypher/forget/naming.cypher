// Passages that name these: without the title a shorter one inside it may be what they name.
// Parameters: $ids (passage ids).
// Columns: id.
UNWIND $ids AS id
MATCH (asked:HoptrailPassage {id: id})<-[:NAMES]-(p:HoptrailPassage)
USING INDEX SEEK asked:HoptrailPassage(id)
RETURN DISTINCT p.id AS id
