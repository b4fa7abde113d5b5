// Make triples with their ends, and the navigable edge of those whose relation is known. The relation is a property:
// nothing that a document says becomes a relationship type.
// Parameters: $rows (maps: properties (map of all, without a vector), head_id, tail_id, tied; sorted by id).
// Columns: none.
UNWIND $rows AS row
MATCH (h:HoptrailEntity {id: row.head_id})
USING INDEX SEEK h:HoptrailEntity(id)
MATCH (o:HoptrailEntity {id: row.tail_id})
USING INDEX SEEK o:HoptrailEntity(id)
CREATE (t:HoptrailTriple)
SET t = row.properties
CREATE (t)-[:HEAD]->(h)
CREATE (t)-[:TAIL]->(o)
FOREACH (_ IN CASE WHEN row.tied THEN [] ELSE [1] END |
  CREATE (h)-[:RELATES_TO {relation: row.properties.relation, triple_id: row.properties.id}]->(o)
)
