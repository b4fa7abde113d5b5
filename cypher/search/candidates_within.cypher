// Some passages as candidates of a question, as BM25 reads them, and how much its stems tell.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $words (stems that BM25 looks for), $stems.
// Columns: found (list of [id, cosine (-1 to 1; the function answers (1 + cosine) / 2), normal title,
// covered (which of $stems the passage holds), [title, text, language] (null where it holds none of $words), key of its text]), passages
// (how many there are), frequencies (list of [stem, passages that hold it]), info (properties of GraphInfo but its time, read
// last).
CALL () {
  UNWIND $ids AS id
  MATCH (p:HoptrailPassage {id: id})
  USING INDEX SEEK p:HoptrailPassage(id)
  RETURN collect([p.id, 2 * vector.similarity.cosine(p.embedding, $vector) - 1, p.normal_title,
    [stem IN $stems WHERE stem IN p.terms],
    CASE WHEN any(stem IN $words WHERE stem IN p.terms) THEN [p.title, p.text, coalesce(p.language, '')] END,
    coalesce(p.text_key, '')]) AS found
}
CALL () {
  UNWIND $stems + [word IN $words WHERE NOT word IN $stems] AS stem
  MATCH (t:HoptrailTerm {id: stem})
  USING INDEX SEEK t:HoptrailTerm(id)
  RETURN collect([t.id, t.passages]) AS frequencies
}
CALL () {
  MATCH (p:HoptrailPassage)
  RETURN count(p) AS passages
}
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, passages, frequencies, g {.*, created_at: null} AS info
