// What a hop sees first: passages near a question, by its words, or that it names, and how much its
// stems tell; for servers from 2026.02 on.
// Parameters: $vector (float[d], unit length), $near (how many by nearness), $lucene (words only,
// escaped), $pool (how many by BM25), $titles (normal titles), $stems, $places (of these: a map).
// Columns: ids, cosines (-1 to 1; index and function answer (1 + cosine) / 2), titles (normal ones), keys (of
// texts), bm25 (0 outside its pool; lists, an item for each passage), covered (which stems it holds: list of lists of
// places), passages (how many there are), frequencies (list of [stem, passages that hold it]),
// info (properties of GraphInfo but its time, read last). One row of flat lists: read as rows, the same would take
// longer than finding it.
CYPHER 25
CALL () {
  CALL () {
    MATCH (p:HoptrailPassage)
    SEARCH p IN (VECTOR INDEX hoptrail_passage_embedding FOR $vector LIMIT $near) SCORE AS nearness
    RETURN p, nearness, 0.0 AS bm25
    UNION ALL
    CALL db.index.fulltext.queryNodes('hoptrail_passage_text', $lucene, {limit: $pool}) YIELD node, score
    RETURN node AS p, null AS nearness, score AS bm25
    UNION ALL
    UNWIND $titles AS title
    MATCH (p:HoptrailPassage {normal_title: title, position: 0})
    USING INDEX SEEK p:HoptrailPassage(normal_title, position)
    RETURN p, null AS nearness, 0.0 AS bm25
  }
  WITH p, max(nearness) AS nearness, max(bm25) AS bm25
  WITH p, bm25, coalesce(nearness, vector.similarity.cosine(p.embedding, $vector)) AS nearness
  RETURN collect(p.id) AS ids, collect(2 * nearness - 1) AS cosines, collect(p.normal_title) AS titles,
    collect(coalesce(p.text_key, '')) AS keys,
    collect([term IN p.terms WHERE $places[term] IS NOT NULL | $places[term]]) AS covered,
    collect(bm25) AS bm25
}
CALL () {
  UNWIND $stems AS stem
  MATCH (t:HoptrailTerm {id: stem})
  USING INDEX SEEK t:HoptrailTerm(id)
  RETURN collect([t.id, t.passages]) AS frequencies
}
CALL () {
  MATCH (p:HoptrailPassage)
  RETURN count(p) AS passages
}
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN ids, cosines, titles, keys, covered, bm25, passages, frequencies, g {.*, created_at: null} AS info
