// Entities that are said to be another item than their links lead to.
// Parameters: none.
// Columns: id; sorted.
MATCH (i:HoptrailItem)<-[:DENOTES]-(e:HoptrailEntity)
WITH e, collect(DISTINCT i.id) AS items
WHERE coalesce(e.wikidata_id, '') <> CASE WHEN size(items) = 1 THEN items[0] ELSE '' END
RETURN e.id AS id
ORDER BY id
