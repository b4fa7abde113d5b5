"""What the graph holds about an entity, before any passage is read (Hoptrail's own)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....kg.candidates import RankedTriple
from ....kg.types import Passage, Triple
from ....kg.vectors import DECIMALS
from ...prompts.showing import triple_text
from ...replies.exploring import Pair
from ...session.session import Session


@dataclass(frozen=True, slots=True)
class Held:
    """Triples that the graph holds about a pair, best first, with the passages that state them."""

    triples: Sequence[RankedTriple]
    passages: Mapping[str, Passage]


def looked_up(session: Session, pair: Pair, limit: int, near: float) -> Held:
    """Find the triples about a pair's entity that are most like its guidance, in one look.

    A chain that ends in the entity goes on with them (`Graph.rank_triples`).
    """
    started, text = time.perf_counter(), f"{pair.entity}: {pair.guidance}"
    query = session.encoder.encode_queries([text])
    at = Triple(pair.entity, pair.guidance, pair.entity, "")
    found = session.graph.rank_triples([[at]], (), query, limit, session.within)
    [ranked] = found.chains
    vectors = session.parts.triple_vectors([o.triple for o in ranked if o.similarity is None])
    scored = [
        (one, round(float(vectors[one.triple.id] @ query[0]), DECIMALS))
        if one.similarity is None
        else (one, one.similarity)
        for one in ranked
        if not one.triple.tied
    ]
    best = sorted(scored, key=lambda o: (-o[1], o[0].triple.id))
    kept = [(one, score) for one, score in best if score >= near][:limit]
    lines = "\n".join(f"{score:.3f} {triple_text(one.triple)}" for one, score in kept)
    session.steps.add("graph", text, lines or "nothing", [o.triple.id for o, _ in kept], started)
    stating = dict.fromkeys(s.passage_id for one, _ in kept for s in one.statements)
    return Held([one for one, _ in kept], {id_: found.passages[id_] for id_ in stating})
