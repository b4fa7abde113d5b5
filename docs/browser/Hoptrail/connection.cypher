// How two names connect
// The shortest chains of relations between the entities that two names mean best, over at most six relations.
// :param from => 'Peer Gynt'
// :param to => 'Skien'
CALL db.index.fulltext.queryNodes('hoptrail_entity_name', '"' + replace($from, '"', ' ') + '"', {limit: 20})
YIELD node AS a, score
WITH a ORDER BY toLower(a.name) = toLower($from) DESC, score DESC, a.id LIMIT 1
CALL db.index.fulltext.queryNodes('hoptrail_entity_name', '"' + replace($to, '"', ' ') + '"', {limit: 20})
YIELD node AS b, score
WITH a, b ORDER BY toLower(b.name) = toLower($to) DESC, score DESC, b.id LIMIT 1
MATCH path = allShortestPaths((a)-[:RELATES_TO*..6]-(b))
WHERE a <> b
RETURN path
LIMIT 20
