"""What the graph holds about an entity, before any passage is read (Hoptrail's own)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...kg.candidates import RankedTriple
from ...kg.types import Passage, Triple
from ...kg.vectors import DECIMALS
from ..prompts.showing import triple_text
from ..session.session import Session


@dataclass(frozen=True, slots=True)
class Held:
    """Triples that the graph holds about an entity, best first, with what states them.

    Args:
        scores: their similarity to what was asked.
    """

    triples: Sequence[RankedTriple]
    scores: Sequence[float]
    passages: Mapping[str, Passage]


def looked_up(session: Session, entity: str, asked: str, limit: int, near: float) -> Held:
    """Find the triples about an entity that are most like what is asked about it, in one look.

    A chain that ends in the entity goes on with them (`Graph.rank_triples`).

    Args:
        asked: about the entity: a relation, or what to find out.
        limit: of these at most.
        near: the least similarity to "entity: asked" of one that counts, −1 to 1.
    """
    started, text = time.perf_counter(), f"{entity}: {asked}"
    query = session.encoder.encode_queries([text])
    at = Triple(entity, asked, entity, "")
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
    passages = {id_: found.passages[id_] for id_ in stating}
    return Held([one for one, _ in kept], [score for _, score in kept], passages)
