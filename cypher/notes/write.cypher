// Keep on passages what was computed of them, in place of what another maker made.
// Parameters: $rows (maps: id, values (map: two properties, of bytes and their maker's name)).
// Columns: none.
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.id})
USING INDEX SEEK p:HoptrailPassage(id)
SET p += row.values
