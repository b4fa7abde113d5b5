// What passages mention.
// Parameters: $ids (passage ids).
// Columns: passage_id, entity_ids (sorted); a row for each passage that is there.
UNWIND $ids AS passage_id
MATCH (p:HoptrailPassage {id: passage_id})
USING INDEX SEEK p:HoptrailPassage(id)
OPTIONAL MATCH (p)-[:MENTIONS]->(e:HoptrailEntity)
WITH passage_id, e.id AS entity_id
ORDER BY entity_id
RETURN passage_id, collect(entity_id) AS entity_ids
