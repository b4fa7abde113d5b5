// The triples that chains may go on with, all chains at once: those that passages state, and those that share an
// entity with the chain's, the nearest to the chain's vector, exactly.
// Parameters: $ids (passage ids, in the order that ties go by), $chains (list of {vector (float[d], unit length), from
// (entity ids to go on from), said (texts that are no candidates), pairs (list of [head id, tail id] likewise)}),
// $limit (how many a chain), $every (true: without leaving out what no chain takes), $within (passage ids that must
// state what is gone on to, or null for the whole graph), $decimals (similarities that differ by less are equal),
// $parsed (extractors of a parse's triples, of which those without a name or with $wordy are no candidates), $wordy
// (regular expression of relations of too many words), $names (of a triple's properties), $held (of a
// passage's).
// Columns: found (list of [place of the chain in $chains, list of [triple id, cosine (-1 to 1; the function answers
// (1 + cosine) / 2), null without a vector: of these all that there are]]), triples (list of [id, held (values in the order of $names),
// statements (list of [passage id, start, end])]), passages (list of [id, held]: those outside $ids that state one),
// info (properties of GraphInfo but its time, read last).
CALL () {
  UNWIND range(0, size($ids) - 1) AS place
  MATCH (p:HoptrailPassage {id: $ids[place]})-[s:STATES]->(t:HoptrailTriple)
  USING INDEX SEEK p:HoptrailPassage(id)
  RETURN t, place * 1000000000 + coalesce(s.start, 999999999) AS place, null AS numbers
  UNION ALL
  UNWIND range(0, size($chains) - 1) AS number
  UNWIND $chains[number].from AS id
  MATCH (e:HoptrailEntity {id: id})
  USING INDEX SEEK e:HoptrailEntity(id)
  WITH e, collect(DISTINCT number) AS numbers
  MATCH (e)<-[:HEAD|TAIL]-(t:HoptrailTriple)
  RETURN t, null AS place, numbers
}
WITH t, min(place) AS place, collect(numbers) AS of_entities
WITH t, t.embedding AS embedding, place, [number IN range(0, size($chains) - 1)
  WHERE place IS NOT NULL OR any(numbers IN of_entities WHERE number IN numbers)] AS numbers
UNWIND numbers AS number
WITH number, collect([t, place,
  round(2 * vector.similarity.cosine(embedding, $chains[number].vector) - 1, $decimals)]) AS candidates
CALL (number, candidates) {
  UNWIND candidates AS candidate
  WITH number, candidate[0] AS t, candidate[1] AS place, candidate[2] AS score
  WHERE score IS NOT NULL
  WITH number, t, place, score
  ORDER BY score DESC, place, t.id
  WITH number, t, place, score
  WHERE $every OR ((NOT t.extractor IN $parsed
      OR t.head + t.tail =~ '(?s).*[A-Z0-9].*' AND NOT t.relation =~ $wordy)
    AND NOT t.text IN $chains[number].said
    AND NOT [[(t)-[:HEAD]->(e) | e.id][0], [(t)-[:TAIL]->(e) | e.id][0]] IN $chains[number].pairs
    AND (place IS NOT NULL OR $within IS NULL OR EXISTS { (t)<-[:STATES]-(p:HoptrailPassage) WHERE p.id IN $within }))
  RETURN t, place IS NULL AS beyond, score
  LIMIT $limit
  UNION ALL
  UNWIND candidates AS candidate
  WITH candidate[0] AS t, candidate[1] AS place, candidate[2] AS score
  WHERE score IS NULL
  RETURN t, place IS NULL AS beyond, score
}
WITH number, collect([t, beyond, score]) AS ranked
WITH collect([number, ranked]) AS ranked
CALL (ranked) {
  UNWIND ranked AS of_chain
  UNWIND of_chain[1] AS one
  WITH DISTINCT one[0] AS t, one[1] AS beyond
  MATCH (t)<-[s:STATES]-(p:HoptrailPassage)
  WHERE CASE WHEN beyond THEN $within IS NULL OR p.id IN $within ELSE p.id IN $ids END
  WITH t, collect([p.id, s.start, s.end]) AS statements, collect(CASE WHEN beyond THEN p END) AS others
  RETURN collect([t.id, [name IN $names | t[name]], statements]) AS triples, collect(others) AS others
}
CALL (others) {
  UNWIND others AS of_triple
  UNWIND of_triple AS p
  WITH DISTINCT p
  RETURN collect([p.id, [name IN $held | p[name]]]) AS passages
}
WITH [of_chain IN ranked | [of_chain[0], [one IN of_chain[1] | [one[0].id, one[2]]]]] AS found, triples, passages
OPTIONAL MATCH (g:HoptrailGraphInfo {id: 'graph'})
RETURN found, triples, passages, g {.*, created_at: null} AS info
