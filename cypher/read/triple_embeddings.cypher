// Triples by id.
// Parameters: $ids.
// Columns: found (list of [id, embedding (float[d])]), info (properties of GraphInfo, read last).
UNWIND $ids AS id
MATCH (n:HoptrailTriple {id: id})
USING INDEX SEEK n:HoptrailTriple(id)
WHERE n.embedding IS NOT NULL
WITH collect([n.id, n.embedding]) AS found
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, properties(g) AS info
