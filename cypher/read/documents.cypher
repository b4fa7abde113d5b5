// Documents by id.
// Parameters: $ids.
// Columns: id, title, source, sha256, metadata (JSON), ingested_at.
UNWIND $ids AS id
MATCH (n:Document {id: id})
USING INDEX SEEK n:Document(id)
RETURN n.id AS id, n.title AS title, n.source AS source, n.sha256 AS sha256, n.metadata AS metadata,
  n.ingested_at AS ingested_at
