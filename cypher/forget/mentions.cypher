// What these passages mention, to be counted off.
// Parameters: $ids (passage ids).
// Columns: entity_id, surface.
UNWIND $ids AS id
MATCH (asked:HoptrailPassage {id: id})-[m:MENTIONS]->(e:HoptrailEntity)
USING INDEX SEEK asked:HoptrailPassage(id)
RETURN e.id AS entity_id, m.surface AS surface
