// Write what follows from the texts of passages.
// Parameters: $rows (maps: id, normal_title, terms, words).
// Columns: none.
UNWIND $rows AS row
MATCH (p:Passage {id: row.id})
USING INDEX SEEK p:Passage(id)
SET p.normal_title = row.normal_title, p.terms = row.terms, p.words = row.words
