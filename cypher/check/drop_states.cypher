// Part passages from triples, also where they are tied twice.
// Parameters: $rows (maps: passage_id, triple_id).
// Columns: none.
UNWIND $rows AS row
MATCH (asked:HoptrailPassage {id: row.passage_id})-[r:STATES]->(:HoptrailTriple {id: row.triple_id})
USING INDEX SEEK asked:HoptrailPassage(id)
DELETE r
