// What a hop sees first: passages near a question, by its words, or that it names, and how much its
// stems tell; for servers before 2026.02.
// Parameters: $vector (float[d], unit length), $near (how many by nearness), $lucene (words only,
// escaped), $pool (how many by BM25), $titles (normal titles), $stems.
// Columns: found (list of [id, cosine (-1 to 1; index and function answer (1 + cosine) / 2), normal
// title, covered (which stems the passage holds), BM25 (0 outside its pool)]), passages (how many
// there are), frequencies (list of [stem, passages that hold it]), info (properties of GraphInfo, read
// last). One row: read as rows, the same would take longer than finding it.
CALL () {
  CALL () {
    CALL db.index.vector.queryNodes('hoptrail_passage_embedding', $near, $vector) YIELD node, score
    RETURN node AS p, score AS nearness, 0.0 AS bm25
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
  RETURN collect([p.id, 2 * nearness - 1, p.normal_title,
    [stem IN $stems WHERE stem IN p.terms], bm25]) AS found
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
RETURN found, passages, frequencies, properties(g) AS info
