"""Chains without a language model: they lead to the answer that the reader found."""

import time
from collections.abc import Iterable

from ....kg.text.words import normal_form
from ....kg.types import Passage, Statement, Triple
from ...reader import ReaderPassage, Reading
from ...session.session import Session
from .chains import Beam


def read(session: Session, statements: Iterable[Statement]) -> Reading:
    """Read the retrieved passages, which state these, as far as rules and the scorer can."""
    return read_in(session, session.question, session.found.items(), statements)


def read_in(
    session: Session,
    question: str,
    passages: Iterable[tuple[Passage, float]],
    statements: Iterable[Statement],
) -> Reading:
    """Read an answer to some question in passages, given with their scores, best first."""
    started = time.perf_counter()
    scored = dict(passages)
    by_passage: dict[str, list[Statement]] = {passage.id: [] for passage in scored}
    for statement in statements:
        by_passage[statement.passage_id].append(statement)
    given = [ReaderPassage(one, by_passage[one.id], score) for one, score in scored.items()]
    reading = session.parts.reader.read(question, given)
    output = f"{reading.text} (p = {reading.confidence:.2f}, {reading.rule or 'scorer'})"
    support = [statement.triple for statement in reading.support]
    session.steps.add("read", question, output, support, started)
    return reading


def explaining(beams: list[Beam], reading: Reading) -> list[Beam]:
    """Keep chains that lead to the answer, the reader's own first; all of a guess where none does.

    Beside the reader's own chain others count that say more than a part of it, and whose triples
    hang together.
    """
    goal = normal_form(reading.text)
    led = [b for b in beams if any(goal in (t.head_id, t.tail_id) for t in b.triples)]
    if reading.support:
        own = Beam(_distinct(s.triple for s in reading.support))
        others = (b for b in led if _hangs_together(b) and not set(b.triples) <= set(own.triples))
        led = [own, *others]
    distinct = list({frozenset(beam.triples): beam for beam in reversed(led)}.values())[::-1]
    return distinct or ([] if reading.answered else beams)


def _hangs_together(beam: Beam) -> bool:
    """Whether each triple shares an end with one before."""
    ends = set[str]()
    for triple in beam.triples:
        if ends and not ends & {triple.head_id, triple.tail_id}:
            return False
        ends |= {triple.head_id, triple.tail_id}
    return True


def _distinct(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triples))
