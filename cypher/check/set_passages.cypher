// Write what follows from the texts of passages.
// Parameters: $rows (maps: id, normal_title, terms, text_key, words).
// Columns: none.
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.id})
USING INDEX SEEK p:HoptrailPassage(id)
SET p.normal_title = row.normal_title, p.terms = row.terms, p.text_key = row.text_key, p.words = row.words
