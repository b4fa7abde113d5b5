// Entities that are marked as keywords though no passage mentions them, or the other way round.
// Parameters: none.
// Columns: id, passages.
MATCH (e:HoptrailEntity)
WHERE e:HoptrailKeyword <> (e.passages > 0)
RETURN e.id AS id, e.passages AS passages
ORDER BY id
