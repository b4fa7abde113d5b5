// Recorded answers with their evidence.
// Parameters: $ids (answer ids), $names (of a triple's properties), $claim_names, $item_names.
// Columns: answer (map of properties), question (its text), steps (maps: chain, order, score,
// passage_ids, id of the triple, held: its values, in the order of $names), cites (maps: rank, votes, score, id, title,
// text, heading, page), traced (maps: order, round, entity, guidance, id of the triple, held), ends (maps: order, kind:
// initial or target, id of the entity), asked (maps: order, held (map of a QuestionTriple's properties), links (maps:
// kind: triple, passage, head or tail, rank, id)), claim_steps, claim_cites and claim_traced (maps: row: as records have
// it, claim and item: values, in the order of their names).
UNWIND $ids AS id
MATCH (q:HoptrailQuestion)-[:ANSWERED_BY]->(a:HoptrailAnswer {id: id})
USING INDEX SEEK a:HoptrailAnswer(id)
RETURN properties(a) AS answer, q.text AS question,
  [(a)-[s:STEP]->(t:HoptrailTriple) | {
    chain: s.chain, order: s.order, score: s.score, passage_ids: s.passage_ids,
    id: t.id, held: [name IN $names | t[name]]
  }] AS steps,
  [(a)-[c:CITES]->(p:HoptrailPassage) | {
    rank: c.rank, votes: c.votes, score: c.score, id: p.id, title: p.title, text: p.text,
    heading: coalesce(p.heading, ''), page: p.page
  }] AS cites,
  [(a)-[r:TRACED]->(t:HoptrailTriple) | {
    order: r.order, round: r.round, entity: r.entity, guidance: r.guidance,
    id: t.id, held: [name IN $names | t[name]]
  }] AS traced,
  [(a)-[r:BEGAN_AT|LED_TO]->(e:HoptrailEntity) | {
    order: r.order, kind: CASE type(r) WHEN 'LED_TO' THEN 'target' ELSE 'initial' END, id: e.id
  }] AS ends,
  [(a)-[r:ASKED]->(t:HoptrailQuestionTriple) | {
    order: r.order, held: properties(t),
    links: [(t)-[s:SUPPORTED_BY|READ_IN|BOUND_TO]->(x) | {
      kind: CASE type(s) WHEN 'SUPPORTED_BY' THEN 'triple' WHEN 'READ_IN' THEN 'passage' ELSE s.end END,
      rank: coalesce(s.rank, 0), id: x.id
    }]
  }] AS asked,
  [(a)-[s:STEP]->(c:HoptrailClaim)<-[:HAS_CLAIM]-(i:HoptrailItem) | {
    row: [s.chain, s.order, s.score, c.id],
    claim: [name IN $claim_names | c[name]], item: [name IN $item_names | i[name]]
  }] AS claim_steps,
  [(a)-[s:CITES]->(c:HoptrailClaim)<-[:HAS_CLAIM]-(i:HoptrailItem) | {
    row: [s.rank, s.votes, s.score, c.id],
    claim: [name IN $claim_names | c[name]], item: [name IN $item_names | i[name]]
  }] AS claim_cites,
  [(a)-[r:TRACED]->(c:HoptrailClaim)<-[:HAS_CLAIM]-(i:HoptrailItem) | {
    row: [r.order, r.round, r.entity, r.guidance, c.id],
    claim: [name IN $claim_names | c[name]], item: [name IN $item_names | i[name]]
  }] AS claim_traced
