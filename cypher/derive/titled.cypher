// First passages of the documents that have these titles.
// Parameters: $titles (normal titles).
// Columns: title, id.
UNWIND $titles AS title
MATCH (p:HoptrailPassage {normal_title: title, position: 0})
USING INDEX SEEK p:HoptrailPassage(normal_title, position)
RETURN title, p.id AS id
