// One hop from passages: titles named, either way, and rare entities the question does not name.
// Parameters: $ids (passage ids), $scores (of these), $titled (what it is worth that, place 1, the target names the source's
// title; place 2, the source the target's; where no other passage names it), $most (naming passages that count), $bits
// (logarithm of all passages), $shares (place n: what an entity is worth that n passages mention),
// $known (ids of passages that need not be read, but led to), $links (to how many others),
// $vector (float[d], unit length), $places (of stems: a map), $within (passage ids, or null for the whole graph).
// Columns: ways (list of [id, how many passages name its title, numbers], an item for each passage; a number is place of the
// source in $ids + size($ids) * (2 if the source names the title, 1 if the target names the source's, 4 * passages of an
// entity that both mention)), naming (how many passages name the title of each of $ids),
// ids, cosines, titles, keys (of texts), covered (which stems it holds: list of lists of places;
// lists, an item for each passage that is not known), info (properties of GraphInfo but its time, which takes a client
// longest; read last). Flat lists of numbers, as a list for each way would take longer than finding it; and ways of one
// source are not put together, as a client does that faster.
UNWIND range(0, size($ids) - 1) AS place
MATCH (a:HoptrailPassage {id: $ids[place]})
USING INDEX SEEK a:HoptrailPassage(id)
CALL (a) {
  MATCH (a)-[:NAMES]->(p:HoptrailPassage)
  RETURN p, 2 AS way, COUNT { (p)<-[:NAMES]-() } AS naming, $titled[2] AS worth
  UNION ALL
  MATCH (a)<-[:NAMES]-(p:HoptrailPassage)
  RETURN p, 1 AS way, COUNT { (a)<-[:NAMES]-() } AS naming, $titled[1] AS worth
  UNION ALL
  MATCH (a)-[:MENTIONS]->(e:HoptrailEntity)
  WHERE 2 <= e.passages < size($shares) AND any(term IN e.terms WHERE $places[term] IS NULL)
  MATCH (e)<-[:MENTIONS]-(p:HoptrailPassage)
  RETURN p, 4 * e.passages AS way, 1 AS naming, $shares[e.passages] AS worth
}
WITH place, a, p, way, worth * (1 - log(CASE WHEN naming > $most THEN $most ELSE naming END) / $bits) AS worth
WHERE a <> p
WITH p, collect(way * size($ids) + place) AS ways, max($scores[place] * worth) AS strength
WITH p, p.id AS id, ways, strength
WHERE $within IS NULL OR id IN $within
WITH p, id, ways, strength, id IN $known AS known
ORDER BY known DESC, strength DESC, id
WITH collect(p) AS reached, collect([id, COUNT { (p)<-[:NAMES]-() }, ways]) AS ways,
  sum(CASE WHEN known THEN 1 ELSE 0 END) AS known
WITH reached[known..known + $links] AS read, ways[..known + $links] AS ways
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN ways, [id IN $ids | COUNT { (:HoptrailPassage {id: id})<-[:NAMES]-() }] AS naming, [p IN read | p.id] AS ids,
  [p IN read | 2 * vector.similarity.cosine(p.embedding, $vector) - 1] AS cosines,
  [p IN read | p.normal_title] AS titles, [p IN read | coalesce(p.text_key, '')] AS keys,
  [p IN read | [term IN p.terms WHERE $places[term] IS NOT NULL | $places[term]]] AS covered,
  g {.*, created_at: null} AS info
