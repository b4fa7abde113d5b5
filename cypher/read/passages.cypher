// Passages by id.
// Parameters: $ids.
// Columns: id, document_id, position, title, text, heading, page (or null).
UNWIND $ids AS id
MATCH (n:Passage {id: id})
USING INDEX SEEK n:Passage(id)
RETURN n.id AS id, n.document_id AS document_id, n.position AS position, n.title AS title, n.text AS text,
  coalesce(n.heading, '') AS heading, n.page AS page
