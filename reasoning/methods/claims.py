"""What Wikidata states of an entity, as the graph keeps it (`hoptrail link --statements`)."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ...kg.errors import BadRequest
from ...kg.linked import Origin
from ...kg.types import Triple
from ...kg.wikidata.claims import time_text
from ...kg.wikidata.kept import KeptKnowledge
from ...kg.wikidata.knowledge import Tail, Told
from ...kg.wikidata.relations import Relations
from ..session.session import Session
from ..sources import WIKIDATA


def claimed(session: Session, entity: str, relation: str, near: float) -> list[tuple[Triple, str]]:
    """Give the values that Wikidata states of an entity by a relation in words, all of them.

    A step names item, property and statements; the triples' extractor names endpoint and day. No
    passage states them. A graph that is not linked has none, and no step.

    Args:
        near: the least similarity of a relation that is no property's label to one, −1 to 1.

    Returns:
        Each value as a triple, with its text.
    """
    if WIKIDATA not in session.parts.sources:
        return []
    started = time.perf_counter()
    encode = session.encoder.encode_queries
    kept, relations = session.graph.wikidata, Relations.kept(session.graph)
    told = KeptKnowledge(kept, encode, near=near, relations=relations).tails(entity, relation)
    if told is None:
        return []
    lines = "\n".join(told.statements)
    session.steps.add("wikidata", f"{entity}: {relation}", lines, (), started)
    return [(_triple(entity, told, tail), tail.text) for tail in told.tails]


def asked_live(
    session: Session, entity: str, head: str | Sequence[str], relation: str, near: float
) -> list[tuple[Triple, str, str | None]]:
    """Give the values that Wikidata's endpoint states of an entity, as `claimed` does.

    Args:
        head: the entity's name, or the QIDs that are known to be it.
        near: the least similarity of a relation that is no property's name to one, −1 to 1.

    Returns:
        Each value as a triple, with its text, and its QID where it is an item.

    Raises:
        BadRequest: no endpoint was given.
        EndpointUnavailable: it can't be reached, which is not "nothing stated".
    """
    if WIKIDATA not in session.parts.sources:
        return []
    started, live = time.perf_counter(), session.parts.live
    if live is None:
        raise BadRequest("kg=sparql asks a SPARQL endpoint, and none was given.")
    told = live().tails(head, relation, session.question, near=near)
    lines = "\n".join(told.statements) if told else "nothing"
    session.steps.add("sparql", f"{entity}: {relation}", lines, (), started)
    if told is None:
        return []
    tails = (one if one.id else replace(one, text=time_text(one.text, None)) for one in told.tails)
    return [(_triple(entity, told, tail), tail.text, tail.id) for tail in tails]


def _triple(entity: str, told: Told, tail: Tail) -> Triple:
    """The statement, in the direction in which it stands there."""
    day = datetime.fromtimestamp(told.at, UTC).date().isoformat() if told.at else "undated"
    item = (tail.id or told.head) if told.inverse else told.head
    by = Origin(item, told.pid, told.endpoint, day, tail.claim).text
    ends = (tail.text, entity) if told.inverse else (entity, tail.text)
    return Triple(ends[0], told.phrase, ends[1], by)
