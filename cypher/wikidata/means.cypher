// Derive what entities mean everywhere: the item that all their links lead to, else nothing.
// Parameters: $ids (entity ids).
// Columns: none.
UNWIND $ids AS id
MATCH (e:HoptrailEntity {id: id})
USING INDEX SEEK e:HoptrailEntity(id)
OPTIONAL MATCH (e)-[:DENOTES]->(i:HoptrailItem)
WITH e, collect(DISTINCT i) AS items
SET e.wikidata_id = CASE WHEN size(items) = 1 THEN items[0].id END,
  e.description = CASE WHEN size(items) = 1 THEN items[0].description END
