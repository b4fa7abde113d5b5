// What extracted the triples of these passages, where it is known.
// Parameters: $ids (of a page).
// Columns: passage_id, extractor; sorted by id.
UNWIND $ids AS id
MATCH (p:Passage {id: id})
USING INDEX SEEK p:Passage(id)
WHERE p.extractor IS NOT NULL
RETURN p.id AS passage_id, p.extractor AS extractor
ORDER BY passage_id
