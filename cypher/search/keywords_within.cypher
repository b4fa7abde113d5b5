// Some passages as BM25 reads them: those that hold one of a query's stems, and how common these are.
// Parameters: $ids (passage ids), $stems.
// Columns: found (list of [id, title, text, language]), passages (how many there are), frequencies (list of
// [stem, passages that hold it]).
CALL () {
  UNWIND $ids AS id
  MATCH (p:HoptrailPassage {id: id})
  USING INDEX SEEK p:HoptrailPassage(id)
  WHERE any(stem IN $stems WHERE stem IN p.terms)
  RETURN collect([p.id, p.title, p.text, coalesce(p.language, '')]) AS found
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
RETURN found, passages, frequencies
