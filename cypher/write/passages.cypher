// Make passages, or renew those that came back unchanged; the next encoder reads them again, as titles may differ.
// The procedure keeps a vector in 4 bytes a number, SET would take 8.
// Parameters: $rows (maps: properties (map of all, without a vector), embedding (float[d]); sorted by id).
// Columns: none.
UNWIND $rows AS row
MERGE (p:HoptrailPassage {id: row.properties.id})
SET p += row.properties, p.embedding_next = null
WITH p, row
CALL db.create.setNodeVectorProperty(p, 'embedding', row.embedding)
