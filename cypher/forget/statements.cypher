// What these passages state, to be counted off.
// Parameters: $ids (passage ids).
// Columns: id, head, tail (of the triple, a row for each passage that states it).
UNWIND $ids AS id
MATCH (asked:HoptrailPassage {id: id})-[:STATES]->(t:HoptrailTriple)
USING INDEX SEEK asked:HoptrailPassage(id)
RETURN t.id AS id, t.head AS head, t.tail AS tail
