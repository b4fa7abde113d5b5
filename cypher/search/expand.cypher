// Triples that share an entity with given ones, by nearness to a vector, exactly.
// Parameters: $ids (triple ids), $vector (float[d], unit length), $within (passage ids that must state them, or null
// for the whole graph), $limit,
// $decimals (similarities that differ by less are equal).
// Columns: found (list of [id, cosine (-1 to 1; the function answers (1 + cosine) / 2)]; best first,
// ties by id), info (properties of GraphInfo, read last).
UNWIND $ids AS id
MATCH (asked:HoptrailTriple {id: id})-[:HEAD|TAIL]->(e:HoptrailEntity)
USING INDEX SEEK asked:HoptrailTriple(id)
WITH DISTINCT e
MATCH (e)<-[:HEAD|TAIL]-(t:HoptrailTriple)
WITH DISTINCT t
WHERE t.embedding IS NOT NULL
  AND NOT t.id IN $ids
  AND ($within IS NULL OR any(id IN [(t)<-[:STATES]-(p:HoptrailPassage) | p.id] WHERE id IN $within))
WITH t.id AS id, round(2 * vector.similarity.cosine(t.embedding, $vector) - 1, $decimals) AS score
ORDER BY score DESC, id
LIMIT $limit
WITH collect([id, score]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, properties(g) AS info
