// Make triples with their ends.
// Parameters: $rows (maps: id, head_id, tail_id, properties (map); sorted by id).
// Columns: none.
UNWIND $rows AS row
MATCH (h:Entity {id: row.head_id})
MATCH (o:Entity {id: row.tail_id})
CREATE (t:Triple {id: row.id})
SET t += row.properties
CREATE (t)-[:HEAD]->(h)
CREATE (t)-[:TAIL]->(o)
