// One hop from passages: titles named, either way, and rare entities the question does not name.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $stems, $most (passages that may
// mention an entity), $within (passage ids, or null for the whole graph).
// Columns: ids, cosines, titles, keys (of texts; lists, an item for each passage), covered (which stems it holds: list
// of lists of places in $stems), ways (list of lists of numbers, ((passages of the rarest entity or 0) *
// size($ids) + place of the source in $ids) * 4 + (2 if the source names the title) + (1 if the target
// names the source's)), info (properties of GraphInfo, read last). Flat lists of numbers, as a list for
// each way would take longer than finding it.
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
WITH p, collect((coalesce(rarest, 0) * size($ids) + place) * 4 + names * 2 + named) AS ways
WITH collect(p.id) AS ids, collect(2 * vector.similarity.cosine(p.embedding, $vector) - 1) AS cosines,
  collect(p.normal_title) AS titles,
  collect(coalesce(p.text_key, '')) AS keys, collect(ways) AS ways,
  collect([place IN range(0, size($stems) - 1) WHERE $stems[place] IN p.terms]) AS covered
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN ids, cosines, titles, keys, covered, ways, properties(g) AS info
