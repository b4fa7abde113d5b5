// Some passages by nearness to a vector, exactly.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: found (list of [id, cosine (-1 to 1; the function answers (1 + cosine) / 2)]; best first,
// ties by id), info (properties of GraphInfo but its time, read last).
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
WITH DISTINCT p
WITH p.id AS id, round(2 * vector.similarity.cosine(p.embedding, $vector) - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
WITH collect([id, score]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, g {.*, created_at: null} AS info
