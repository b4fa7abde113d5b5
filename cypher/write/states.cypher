// Tie passages to the triples they state, with the span of characters where it is known.
// Parameters: $rows (maps: passage_id, triple_id, start, end; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (p:Passage {id: row.passage_id})
USING INDEX SEEK p:Passage(id)
MATCH (t:Triple {id: row.triple_id})
USING INDEX SEEK t:Triple(id)
CREATE (p)-[:STATES {start: row.start, end: row.end}]->(t)
