// The latest answers
// With their questions; click one to see its id, which the query of its evidence takes.
MATCH path = (:HoptrailQuestion)-[:ANSWERED_BY]->(a:HoptrailAnswer)
RETURN path
ORDER BY a.created_at DESC, a.id
LIMIT 25
