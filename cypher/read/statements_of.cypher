// What passages state.
// Parameters: $ids (passage ids).
// Columns: passage_id, start, end, id, head, relation, tail, extractor (of the triple).
UNWIND $ids AS passage_id
MATCH (asked:Passage {id: passage_id})-[s:STATES]->(n:Triple)
USING INDEX SEEK asked:Passage(id)
RETURN passage_id, s.start AS start, s.end AS end,
  n.id AS id, n.head AS head, n.relation AS relation, n.tail AS tail, n.extractor AS extractor
