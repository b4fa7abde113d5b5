// What these passages mention, to be counted off.
// Parameters: $ids (passage ids).
// Columns: entity_id, surface.
UNWIND $ids AS id
MATCH (asked:Passage {id: id})-[m:MENTIONS]->(e:Entity)
USING INDEX SEEK asked:Passage(id)
RETURN e.id AS entity_id, m.surface AS surface
