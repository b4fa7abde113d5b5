// What these passages state.
// Parameters: $ids (of a page).
// Columns: passage_id, triple_id, start, end; sorted by ids.
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})-[s:STATES]->(t:HoptrailTriple)
USING INDEX SEEK p:HoptrailPassage(id)
RETURN p.id AS passage_id, t.id AS triple_id, s.start AS start, s.end AS end
ORDER BY passage_id, triple_id
