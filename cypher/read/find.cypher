// What a name may mean.
// Parameters: $name, $entity_id (its normal form), $question_id (the id of a question of this text), $limit (a kind).
// Columns: kind, id, name; unordered.
CALL () {
  MATCH (d:HoptrailDocument {id: $name}) RETURN 'document' AS kind, d AS node, CASE d.title WHEN '' THEN d.source ELSE d.title END AS name
  UNION
  MATCH (d:HoptrailDocument {title: $name}) USING TEXT INDEX d:HoptrailDocument(title) RETURN 'document' AS kind, d AS node, CASE d.title WHEN '' THEN d.source ELSE d.title END AS name ORDER BY d.id LIMIT $limit
  UNION
  MATCH (d:HoptrailDocument {source: $name}) USING TEXT INDEX d:HoptrailDocument(source) RETURN 'document' AS kind, d AS node, CASE d.title WHEN '' THEN d.source ELSE d.title END AS name ORDER BY d.id LIMIT $limit
  UNION
  MATCH (p:HoptrailPassage {id: $name}) RETURN 'passage' AS kind, p AS node, p.title AS name
  UNION
  MATCH (e:HoptrailEntity {id: $name}) RETURN 'entity' AS kind, e AS node, e.name AS name
  UNION
  MATCH (e:HoptrailEntity {id: $entity_id}) RETURN 'entity' AS kind, e AS node, e.name AS name
  UNION
  MATCH (t:HoptrailTriple {id: $name}) RETURN 'triple' AS kind, t AS node, t.text AS name
  UNION
  MATCH (q:HoptrailQuestion {id: $name}) RETURN 'question' AS kind, q AS node, q.text AS name
  UNION
  MATCH (q:HoptrailQuestion {id: $question_id}) RETURN 'question' AS kind, q AS node, q.text AS name
  UNION
  MATCH (a:HoptrailAnswer {id: $name}) RETURN 'answer' AS kind, a AS node, a.text AS name
}
RETURN kind, node.id AS id, name
