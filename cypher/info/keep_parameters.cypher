// Keep what was fitted, instead of the former of the same kind.
// Parameters: $id (kind), $text (JSON).
// Columns: none.
MERGE (p:HoptrailParameters {id: $id})
SET p.text = $text
