// Write items of Wikidata; of known ones what is new counts. Browser calls them by their name.
// Parameters: $rows (maps: id, label, description, endpoint, fetched_at, name; sorted by id).
// Columns: none.
UNWIND $rows AS row
MERGE (i:HoptrailItem {id: row.id})
SET i += row
