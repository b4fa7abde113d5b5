// Some passages as candidates of a question, without their BM25.
// Parameters: $ids (passage ids), $vector (float[d], unit length), $stems.
// Columns: id, cosine (-1 to 1; the function answers (1 + cosine) / 2), title (normal),
// covered (which stems the passage holds).
UNWIND $ids AS id
MATCH (p:Passage {id: id})
USING INDEX SEEK p:Passage(id)
RETURN p.id AS id, 2 * vector.similarity.cosine(p.embedding, $vector) - 1 AS cosine,
  p.normal_title AS title, [stem IN $stems WHERE stem IN p.terms] AS covered
