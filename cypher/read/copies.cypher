// Passages with the same text.
// Parameters: $ids (passage ids), $limit (of one text).
// Columns: asked (those of $ids that have a text), copies (ids of all that have it, sorted).
UNWIND $ids AS id
MATCH (a:HoptrailPassage {id: id})
USING INDEX SEEK a:HoptrailPassage(id)
WITH a.text_key AS key, collect(DISTINCT a.id) AS asked
CALL (key) {
  MATCH (p:HoptrailPassage)
  USING INDEX SEEK p:HoptrailPassage(text_key, id)
  WHERE p.text_key = key AND p.id IS NOT NULL
  WITH p.id AS id ORDER BY id LIMIT $limit
  RETURN collect(id) AS copies
}
WITH asked, copies WHERE size(copies) > 0
RETURN asked, copies
