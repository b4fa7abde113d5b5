// Tie passages to the triples they state, with the span of characters where it is known.
// Parameters: $rows (maps: passage_id, triple_id, start, end; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (p:Passage {id: row.passage_id})
MATCH (t:Triple {id: row.triple_id})
CREATE (p)-[:STATES {start: row.start, end: row.end}]->(t)
