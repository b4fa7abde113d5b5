// Ids that several nodes of a label have, which a constraint that is missing did not prevent.
// Parameters: $label (of nodes).
// Columns: id.
MATCH (n:$($label))
WITH n.id AS id, count(*) AS nodes
WHERE nodes > 1
RETURN id
ORDER BY id
