// What these passages state, to be counted off.
// Parameters: $ids (passage ids).
// Columns: id, head, tail (of the triple, a row for each passage that states it).
UNWIND $ids AS id
MATCH (asked:Passage {id: id})-[:STATES]->(t:Triple)
USING INDEX SEEK asked:Passage(id)
RETURN t.id AS id, t.head AS head, t.tail AS tail
