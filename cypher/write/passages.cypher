// Make passages, or renew those that came back unchanged; the next encoder reads them again, as titles may differ.
// Parameters: $rows (maps of all properties, sorted by id).
// Columns: none.
UNWIND $rows AS row
MERGE (p:Passage {id: row.id})
SET p.document_id = row.document_id, p.position = row.position, p.title = row.title,
  p.normal_title = row.normal_title, p.text = row.text, p.words = row.words, p.terms = row.terms,
  p.embedding = row.embedding, p.extractor = row.extractor,
  p.heading = row.heading, p.page = row.page,
  p.embedding_next = null
