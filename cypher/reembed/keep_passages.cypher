// Keep new vectors of passages beside the old ones, unless a passage reads otherwise by now: its title may have changed.
// Parameters: $rows (maps: id, text (title, if any, and text, as the encoder read them), embedding (float[d])).
// Columns: none.
UNWIND $rows AS row
MATCH (p:HoptrailPassage {id: row.id})
USING INDEX SEEK p:HoptrailPassage(id)
WHERE CASE p.title WHEN '' THEN p.text ELSE p.title + '\n' + p.text END = row.text
CALL db.create.setNodeVectorProperty(p, 'embedding_next', row.embedding)
