// Passages nearest to a vector, for servers before 2026.02.
// Parameters: $vector (float[d], unit length), $fetch (how many the index looks for), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: found (list of [id, cosine (-1 to 1; the index answers (1 + cosine) / 2)]; best first, ties
// by id), info (properties of GraphInfo but its time, read last).
CALL db.index.vector.queryNodes('hoptrail_passage_embedding', $fetch, $vector) YIELD node, score AS nearness
WITH node.id AS id, round(2 * nearness - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
WITH collect([id, score]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, g {.*, created_at: null} AS info
