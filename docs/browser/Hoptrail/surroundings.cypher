// An entity's surroundings
// The entity that a name means best, what it relates to, and the passages that mention it with their documents.
// :param name => 'Leopold Mozart'
CALL db.index.fulltext.queryNodes('hoptrail_entity_name', '"' + replace($name, '"', ' ') + '"', {limit: 20})
YIELD node AS e, score
WITH e ORDER BY toLower(e.name) = toLower($name) DESC, score DESC, e.id LIMIT 1
CALL (e) {
  MATCH path = (e)-[r:RELATES_TO]-(:HoptrailEntity)
  RETURN path ORDER BY r.relation, r.triple_id LIMIT 50
  UNION
  MATCH path = (e)<-[:MENTIONS]-(p:HoptrailPassage)<-[:HAS_PASSAGE]-(:HoptrailDocument)
  RETURN path ORDER BY p.title, p.position LIMIT 25
}
RETURN path
