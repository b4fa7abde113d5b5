// Texts to look for titles in, and what they name now.
// Parameters: $ids (passage ids).
// Columns: id, own (the passage's own normal title), text, named (passage ids).
UNWIND $ids AS id
MATCH (p:HoptrailPassage {id: id})
USING INDEX SEEK p:HoptrailPassage(id)
RETURN p.id AS id, p.normal_title AS own, p.text AS text, [(p)-[:NAMES]->(q:HoptrailPassage) | q.id] AS named
ORDER BY id
