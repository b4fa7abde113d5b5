// Give some nodes labels with the prefix instead of those that others may use, too; times become temporal values, and
// vectors take half the room. What lacks a property that all of ours have is left alone: others may have made it.
// Parameters: $former (maps: name (the label), properties, hashed (whether ids are hashes)), $prefix, $limit.
// Columns: nodes (how many).
MATCH (n:Document|Passage|Entity|Triple|Question|Answer|Term|Failure|Parameters)
WITH n, [kind IN $former WHERE kind.name IN labels(n)
  AND all(name IN kind.properties WHERE n[name] IS NOT NULL)
  AND (NOT kind.hashed OR n.id =~ '[0-9a-f]{24}') | kind.name][0] AS name
WHERE name IS NOT NULL
LIMIT $limit
REMOVE n:$(name)
SET n.name = CASE WHEN NOT name IN ['Triple', 'Question', 'Answer'] THEN n.name
  WHEN n.text = '' THEN 'no answer' ELSE n.text END
SET n:$([$prefix + name] + CASE WHEN name = 'Entity' AND n.passages > 0 THEN [$prefix + 'Keyword'] ELSE [] END)
WITH n, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}[+]\\d\\d:\\d\\d' AS time
SET n.ingested_at = CASE WHEN n.ingested_at =~ time THEN datetime(n.ingested_at) ELSE n.ingested_at END,
  n.created_at = CASE WHEN n.created_at =~ time THEN datetime(n.created_at) ELSE n.created_at END,
  n.failed_at = CASE WHEN n.failed_at =~ time THEN datetime(n.failed_at) ELSE n.failed_at END
WITH n
CALL (n) {
  WITH n WHERE n.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', n.embedding)
}
CALL (n) {
  WITH n WHERE n.embedding_next IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding_next', n.embedding_next)
}
RETURN count(*) AS nodes
