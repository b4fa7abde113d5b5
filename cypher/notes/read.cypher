// What was computed of passages by one maker and kept on them.
// Parameters: $ids, $kind (the property that holds it), $maker_of (the property that names its maker), $maker.
// Columns: id, value (bytes).
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
WHERE p[$maker_of] = $maker
RETURN p.id AS id, p[$kind] AS value
