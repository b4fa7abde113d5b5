// Keep what was fitted, instead of the former of the same kind.
// Parameters: $id (kind), $text (JSON).
// Columns: none.
MERGE (p:Parameters {id: $id})
SET p.text = $text
