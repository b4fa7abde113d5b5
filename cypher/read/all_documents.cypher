// A page of all documents, by id.
// Parameters: $after (the id to begin with), $limit.
// Columns: id, title, source, sha256, metadata (JSON), ingested_at.
MATCH (n:Document)
WHERE n.id >= $after
RETURN n.id AS id, n.title AS title, n.source AS source, n.sha256 AS sha256, n.metadata AS metadata,
  n.ingested_at AS ingested_at
ORDER BY id
LIMIT $limit
