// Tie passages to the triples they state, with the span of characters where it is known.
// Parameters: $rows (maps: passage_id, triple_id, start, end; sorted).
// Columns: none.
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.passage_id})
USING INDEX SEEK p:HoptrailPassage(id)
MATCH (t:HoptrailTriple {id: row.triple_id})
USING INDEX SEEK t:HoptrailTriple(id)
CREATE (p)-[:STATES {start: row.start, end: row.end}]->(t)
