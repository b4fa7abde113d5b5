// Triples that share an entity with given ones, by nearness to a vector, exactly.
// Parameters: $ids (triple ids), $vector (float[d], unit length), $within (passage ids that must state them, or null
// for the whole graph), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: id, score (cosine, -1 to 1; the function answers (1 + cosine) / 2); best first, ties by id.
UNWIND $ids AS id
MATCH (asked:Triple {id: id})-[:HEAD|TAIL]->(e:Entity)
USING INDEX SEEK asked:Triple(id)
WITH DISTINCT e
MATCH (e)<-[:HEAD|TAIL]-(t:Triple)
WITH DISTINCT t
WHERE t.embedding IS NOT NULL
  AND NOT t.id IN $ids
  AND ($within IS NULL OR any(id IN [(t)<-[:STATES]-(p:Passage) | p.id] WHERE id IN $within))
RETURN t.id AS id, round(2 * vector.similarity.cosine(t.embedding, $vector) - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
