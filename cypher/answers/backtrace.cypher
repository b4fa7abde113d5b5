// Walk back through the graph that was traced for an answer (KnowTrace, section 3.3). A triple leads from the entity that
// was explored to its other end, and either way where it names that at neither. On a way are those that can be reached
// from where the graph begins and lead to what the answer names. Two lists of entities grow by a hop at a time.
// Parameters: $id (of the answer).
// Columns: id (of the triple), by order.
MATCH (a:HoptrailAnswer {id: $id})
USING INDEX SEEK a:HoptrailAnswer(id)
WITH COLLECT {
    MATCH (a)-[r:TRACED]->(t:HoptrailTriple), (t)-[:HEAD]->(h:HoptrailEntity), (t)-[:TAIL]->(o:HoptrailEntity)
    UNWIND CASE r.entity_id
      WHEN h.id THEN [[h.id, o.id]]
      WHEN o.id THEN [[o.id, h.id]]
      ELSE [[h.id, o.id], [o.id, h.id]]
    END AS way
    RETURN {id: t.id, order: r.order, start: way[0], end: way[1]}
  } AS ways,
  COLLECT { MATCH (a)-[:BEGAN_AT]->(e:HoptrailEntity) RETURN e.id } AS initial,
  COLLECT { MATCH (a)-[:LED_TO]->(e:HoptrailEntity) RETURN e.id } AS targets
WITH ways,
  reduce(reached = initial, hop IN range(1, size(ways)) |
    reached + [way IN ways WHERE way.start IN reached AND NOT way.end IN reached | way.end]) AS reached,
  reduce(leading = targets, hop IN range(1, size(ways)) |
    leading + [way IN ways WHERE way.end IN leading AND NOT way.start IN leading | way.start]) AS leading
UNWIND ways AS way
WITH way, reached, leading
WHERE way.start IN reached AND way.end IN leading
WITH DISTINCT way.id AS id, way.order AS order
ORDER BY order
RETURN id
