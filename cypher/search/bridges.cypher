// One hop from passages: titles named, either way, and rare entities the question does not name.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $stems, $most (passages that may
// mention an entity), $within (passage ids, or null for the whole graph).
// Columns: found (list of [id, cosine, title, covered (these as candidates), ways: list of [place of
// the source in $ids, 1 if the source names the title, 1 if the target names the source's, passages
// of the rarest entity or null]]), info (properties of GraphInfo, read last).
UNWIND range(0, size($ids) - 1) AS place
MATCH (a:HoptrailPassage {id: $ids[place]})
USING INDEX SEEK a:HoptrailPassage(id)
CALL (a) {
  MATCH (a)-[:NAMES]->(p:HoptrailPassage)
  RETURN p, 1 AS names, 0 AS named, null AS rarest
  UNION ALL
  MATCH (a)<-[:NAMES]-(p:HoptrailPassage)
  RETURN p, 0 AS names, 1 AS named, null AS rarest
  UNION ALL
  MATCH (a)-[:MENTIONS]->(e:HoptrailEntity)
  WHERE 2 <= e.passages <= $most AND any(term IN e.terms WHERE NOT term IN $stems)
  MATCH (e)<-[:MENTIONS]-(p:HoptrailPassage)
  RETURN p, 0 AS names, 0 AS named, e.passages AS rarest
}
WITH place, a, p, max(names) AS names, max(named) AS named, min(rarest) AS rarest
WHERE a <> p AND ($within IS NULL OR p.id IN $within)
WITH p, collect([place, names, named, rarest]) AS ways
WITH collect([p.id, 2 * vector.similarity.cosine(p.embedding, $vector) - 1, p.normal_title,
  [stem IN $stems WHERE stem IN p.terms], ways]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, properties(g) AS info
