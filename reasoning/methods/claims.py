"""What Wikidata states of an entity, as the graph keeps it (`hoptrail link --statements`)."""

import time
from datetime import UTC, datetime

from ...kg.linked import Origin
from ...kg.types import Triple
from ...kg.wikidata.kept import KeptKnowledge
from ...kg.wikidata.knowledge import Told
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
    told = KeptKnowledge(session.graph.wikidata, encode, near=near).tails(entity, relation)
    if told is None:
        return []
    lines = "\n".join(told.statements)
    session.steps.add("wikidata", f"{entity}: {relation}", lines, (), started)
    by = _extractor(told)
    return [(Triple(entity, told.phrase, tail.text, by), tail.text) for tail in told.tails]


def _extractor(told: Told) -> str:
    day = datetime.fromtimestamp(told.at, UTC).date().isoformat() if told.at else "undated"
    return Origin(told.head, told.pid, told.endpoint, day).text
