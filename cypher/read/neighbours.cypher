// Edges of some kinds at passages, each once.
// Parameters: $ids (passage ids), $kinds (relationship types).
// Columns: kind, source, target, keywords (null but for SHARES_KEYWORD).
UNWIND $ids AS id
MATCH (asked:HoptrailPassage {id: id})-[r:NEXT|SHARES_KEYWORD|NAMES]-(:HoptrailPassage)
USING INDEX SEEK asked:HoptrailPassage(id)
WHERE type(r) IN $kinds
WITH DISTINCT r
RETURN type(r) AS kind, startNode(r).id AS source, endNode(r).id AS target, r.keywords AS keywords
