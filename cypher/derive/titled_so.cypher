// First passages of the documents whose titles begin so.
// Parameters: $beginnings (of normal titles).
// Columns: title, id.
UNWIND $beginnings AS beginning
MATCH (p:HoptrailPassage {position: 0})
WHERE p.normal_title STARTS WITH beginning
RETURN DISTINCT p.normal_title AS title, p.id AS id
