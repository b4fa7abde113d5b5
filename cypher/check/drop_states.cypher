// Part passages from triples, also where they are tied twice.
// Parameters: $rows (maps: passage_id, triple_id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:Passage {id: row.passage_id})-[r:STATES]->(:Triple {id: row.triple_id})
USING INDEX SEEK asked:Passage(id)
DELETE r
