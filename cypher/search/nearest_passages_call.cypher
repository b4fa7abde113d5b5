// Passages nearest to a vector, for servers before 2026.02.
// Parameters: $vector (float[d], unit length), $fetch (how many the index looks for), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: id, score (cosine, -1 to 1; the index answers (1 + cosine) / 2); best first, ties by id.
CALL db.index.vector.queryNodes('passage_embedding', $fetch, $vector) YIELD node, score AS nearness
RETURN node.id AS id, round(2 * nearness - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
