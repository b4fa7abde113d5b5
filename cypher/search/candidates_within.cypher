// Some passages as candidates of a question, and how much its stems tell.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $lucene (words only, escaped),
// $pool (how many by BM25), $stems.
// Columns: found (list of [id, cosine (-1 to 1; the function answers (1 + cosine) / 2), normal title,
// covered (which stems the passage holds)]), worded (list of [id, BM25]: the best of these
// passages), passages (how many there are), frequencies (list of [stem, passages that hold it]),
// info (properties of GraphInfo, read last).
CALL () {
  UNWIND $ids AS id
  MATCH (p:HoptrailPassage {id: id})
  USING INDEX SEEK p:HoptrailPassage(id)
  RETURN collect([p.id, 2 * vector.similarity.cosine(p.embedding, $vector) - 1, p.normal_title,
    [stem IN $stems WHERE stem IN p.terms]]) AS found
}
CALL () {
  CALL db.index.fulltext.queryNodes('hoptrail_passage_text', $lucene) YIELD node, score
  WHERE node.id IN $ids
  WITH node.id AS id, score
  ORDER BY score DESC, id
  LIMIT $pool
  RETURN collect([id, score]) AS worded
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
RETURN found, worded, passages, frequencies, properties(g) AS info
