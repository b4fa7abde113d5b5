// What extracted the triples of passages, where it is known.
// Parameters: $ids.
// Columns: id, extractor.
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
WHERE p.extractor IS NOT NULL
RETURN p.id AS id, p.extractor AS extractor
