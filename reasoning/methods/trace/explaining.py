"""Chains without a language model: they lead to the answer that the reader found."""

import time
from collections.abc import Iterable, Sequence

from ....kg.text.words import normal_form
from ....kg.types import Passage, Statement, Triple
from ...reader import ReaderPassage, Reading
from ...session.budget import Run
from ...session.parts import Parts
from .chains import Beam


def read(
    parts: Parts,
    question: str,
    found: Sequence[tuple[Passage, float]],
    statements: Iterable[Statement],
    run: Run,
) -> Reading:
    """What the reader makes of the retrieved passages."""
    started = time.perf_counter()
    by_passage: dict[str, list[Statement]] = {passage.id: [] for passage, _ in found}
    for statement in statements:
        by_passage[statement.passage_id].append(statement)
    reading = parts.reader.read(
        question,
        [ReaderPassage(passage, by_passage[passage.id], score) for passage, score in found],
    )
    output = f"{reading.text} (p = {reading.confidence:.2f}, {reading.rule or 'scorer'})"
    run.step("read", question, output, [s.triple.id for s in reading.support], started)
    return reading


def explaining(beams: list[Beam], reading: Reading) -> list[Beam]:
    """Chains that lead to the answer, the reader's own first; all of them where none does."""
    goal = normal_form(reading.text)
    led = [b for b in beams if any(goal in (t.head_id, t.tail_id) for t in b.triples)]
    if reading.support:
        led.insert(0, Beam(_distinct(s.triple for s in reading.support)))
    return list({frozenset(beam.triples): beam for beam in reversed(led)}.values())[::-1] or beams


def _distinct(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triples))
