// Passages near a question, by its words, or that it names, for servers before 2026.02.
// Parameters: $vector (float[d], unit length), $near (how many by nearness), $lucene (words only,
// escaped), $pool (how many by BM25), $titles (normal titles), $stems.
// Columns: id, cosine (-1 to 1; the function answers (1 + cosine) / 2), bm25 (0 outside its pool),
// title (normal), covered (which stems the passage holds).
CALL () {
  CALL db.index.vector.queryNodes('passage_embedding', $near, $vector) YIELD node
  RETURN node AS p, 0.0 AS bm25
  UNION ALL
  CALL db.index.fulltext.queryNodes('passage_text', $lucene, {limit: $pool}) YIELD node, score
  RETURN node AS p, score AS bm25
  UNION ALL
  UNWIND $titles AS title
  MATCH (p:Passage {normal_title: title, position: 0})
  USING INDEX SEEK p:Passage(normal_title, position)
  RETURN p, 0.0 AS bm25
}
WITH p, max(bm25) AS bm25
RETURN p.id AS id, 2 * vector.similarity.cosine(p.embedding, $vector) - 1 AS cosine, bm25,
  p.normal_title AS title, [stem IN $stems WHERE stem IN p.terms] AS covered
