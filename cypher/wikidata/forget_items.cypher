// Take out all items, with what leads to them.
// Parameters: none.
// Columns: items (how many).
MATCH (i:HoptrailItem)
DETACH DELETE i
RETURN count(*) AS items
