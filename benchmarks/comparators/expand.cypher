// Appended by neo4j-graphrag to its hybrid search: what was found, and what lies next to the best of it.
// $seeds (how many of the found are expanded), $keep (weight of a neighbour), $common (entities of more passages
// lead nowhere), $limit; $query_vector (neo4j-graphrag's own)
// id, score
WITH collect({node: node, score: score}) AS found
CALL (found) {
  UNWIND found AS hit
  RETURN hit.node AS passage, hit.score AS score
  UNION ALL
  UNWIND found[..$seeds] AS hit
  WITH hit.node AS seed, hit.score AS score
  CALL (seed) {
    MATCH (seed)-[:NEXT]-(passage:HoptrailPassage)
    RETURN passage
    UNION
    MATCH (seed)-[:MENTIONS]->(entity:HoptrailEntity)<-[:MENTIONS]-(passage:HoptrailPassage)
    WHERE entity.passages <= $common AND passage <> seed
    RETURN passage
  }
  WITH passage, max(score) AS score
  RETURN passage, $keep * score * vector.similarity.cosine(passage.embedding, $query_vector) AS score
}
WITH passage, sum(score) AS score
ORDER BY score DESC, passage.id LIMIT $limit
RETURN passage.id AS id, score
