// Triples by id.
// Parameters: $ids.
// Columns: found (list of [id, embedding (float[d])]), info (properties of GraphInfo but its time, read last).
UNWIND $ids AS id
MATCH (n:HoptrailTriple {id: id})
USING INDEX SEEK n:HoptrailTriple(id)
WHERE n.embedding IS NOT NULL
WITH collect([n.id, n.embedding]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, g {.*, created_at: null} AS info
