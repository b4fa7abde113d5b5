// Entitys by id.
// Parameters: $ids.
// Columns: id, name, aliases, terms, passages, wikidata_id, description.
UNWIND $ids AS id
MATCH (n:Entity {id: id})
USING INDEX SEEK n:Entity(id)
RETURN n.id AS id, n.name AS name, n.aliases AS aliases, n.terms AS terms, n.passages AS passages,
  n.wikidata_id AS wikidata_id, n.description AS description
