// First passages of all documents, with their titles.
// Parameters: $most (rows at most).
// Columns: title (normal), id.
MATCH (p:HoptrailPassage {position: 0})
RETURN p.normal_title AS title, p.id AS id
LIMIT $most
