// What passages state.
// Parameters: $ids (passage ids), $names (of a triple's properties).
// Columns: passage_id, start, end, id (of the triple), held (its values, in the order of $names).
UNWIND $ids AS passage_id
MATCH (asked:HoptrailPassage {id: passage_id})-[s:STATES]->(n:HoptrailTriple)
USING INDEX SEEK asked:HoptrailPassage(id)
RETURN passage_id, s.start AS start, s.end AS end,
  n.id AS id, [name IN $names | n[name]] AS held
