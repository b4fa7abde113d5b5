// What extracted the triples of these passages, where it is known.
// Parameters: $ids (of a page).
// Columns: passage_id, extractor; sorted by id.
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
WHERE p.extractor IS NOT NULL
RETURN p.id AS passage_id, p.extractor AS extractor
ORDER BY passage_id
