// Items that something means.
// Parameters: none.
// Columns: id; sorted.
MATCH (i:HoptrailItem)<-[:DENOTES]-()
RETURN DISTINCT i.id AS id
ORDER BY id
