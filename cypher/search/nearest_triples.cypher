// Triples nearest to a vector, for servers from 2026.02 on.
// Parameters: $vector (float[d], unit length), $fetch (how many the index looks for), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: id, score (cosine, -1 to 1; the index answers (1 + cosine) / 2); best first, ties by id.
CYPHER 25
MATCH (n:Triple)
SEARCH n IN (VECTOR INDEX triple_embedding FOR $vector LIMIT $fetch) SCORE AS nearness
RETURN n.id AS id, round(2 * nearness - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
