// Triples that some passages state, by nearness to a vector, exactly.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: id, score (cosine, -1 to 1; the function answers (1 + cosine) / 2); best first, ties by id.
UNWIND $ids AS id
MATCH (asked:Passage {id: id})-[:STATES]->(t:Triple)
USING INDEX SEEK asked:Passage(id)
WITH DISTINCT t
WHERE t.embedding IS NOT NULL
RETURN t.id AS id, round(2 * vector.similarity.cosine(t.embedding, $vector) - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
