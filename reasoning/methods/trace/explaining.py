"""Chains without a language model: they lead to the answer that the reader found."""

import time
from collections.abc import Iterable

from ....kg.text.words import normal_form
from ....kg.types import Statement, Triple
from ...reader import ReaderPassage, Reading
from ...session.session import Session
from .chains import Beam


def read(session: Session, statements: Iterable[Statement]) -> Reading:
    """Read the retrieved passages, which state these, as far as rules and the scorer can."""
    started = time.perf_counter()
    by_passage: dict[str, list[Statement]] = {passage.id: [] for passage in session.found}
    for statement in statements:
        by_passage[statement.passage_id].append(statement)
    passages = [
        ReaderPassage(passage, by_passage[passage.id], score)
        for passage, score in session.found.items()
    ]
    reading = session.parts.reader.read(session.question, passages)
    output = f"{reading.text} (p = {reading.confidence:.2f}, {reading.rule or 'scorer'})"
    support = [statement.triple for statement in reading.support]
    session.steps.add("read", session.question, output, support, started)
    return reading


def explaining(beams: list[Beam], reading: Reading) -> list[Beam]:
    """Keep chains that lead to the answer, the reader's own first; all where none does."""
    goal = normal_form(reading.text)
    led = [b for b in beams if any(goal in (t.head_id, t.tail_id) for t in b.triples)]
    if reading.support:
        led.insert(0, Beam(_distinct(s.triple for s in reading.support)))
    return list({frozenset(beam.triples): beam for beam in reversed(led)}.values())[::-1] or beams


def _distinct(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triples))
