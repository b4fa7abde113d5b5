"""Chains without a language model: they lead to the answer that the reader found."""

import itertools
import time
from collections.abc import Callable, Iterable

from ....kg.answers import GUESS
from ....kg.text.words import normal_form, stems
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


def explaining(
    session: Session, beams: list[Beam], reading: Reading, statements: Iterable[Statement]
) -> list[Beam]:
    """Keep chains that lead to the answer and tell it, those that say most of the question first.

    Beside the reader's own chain others count that say more than a part of it, and whose triples
    hang together. A path of relations that a rule followed stays the first; all else has to say a
    word of the question and the answer, or the answer's sentence tells more without it. Of a guess
    there is none but what leads to it.

    Args:
        statements: of the retrieved passages.
    """
    goal = normal_form(reading.text)
    led = [beam for beam in beams if any(map(_ending_at(goal), beam.triples))]
    if reading.support:
        own = Beam(_distinct(s.triple for s in reading.support))
        others = (b for b in led if _hangs_together(b) and not set(b.triples) <= set(own.triples))
        led = [own, *others]
    distinct = list({frozenset(beam.triples): beam for beam in reversed(led)}.values())[::-1]
    telling = _Telling(session, reading, [*reading.support, *statements])
    if not reading.answered:
        likely = (b for b in distinct if reading.confidence >= GUESS and telling.speaks(b))
        return [beam for beam in likely if any(map(_ending_at(goal), beam.triples))]
    first = 1 if reading.rule not in ("", "sentence") else 0
    path = distinct[0] if first and reading.support else None
    kept = [b for b in distinct if telling.keeps(b) and (b is path or telling.speaks(b))]
    return kept[:first] + sorted(kept[first:], key=lambda beam: -len(telling.said(beam)))


def _ending_at(goal: str) -> Callable[[Triple], bool]:
    return lambda triple: goal in (triple.head_id, triple.tail_id)


class _Telling:
    """Which chains tell an answer, and do not only speak of it as well."""

    def __init__(self, session: Session, reading: Reading, statements: list[Statement]) -> None:
        self._asked, self._goal = frozenset(stems(session.question)), normal_form(reading.text)
        self._reading, self._texts = reading, {p.id: p.text for p in session.found}
        titles = (p.title for p in session.found if p.id == reading.passage_id)
        self._read = self._asked.intersection(stems(" ".join([*titles, reading.sentence])))
        self._stating = {s.triple for s in statements if self._is_read(s)}

    def keeps(self, beam: Beam) -> bool:
        """Whether a chain has the answer's sentence, or says all that this says of the question.

        And more, and what leads to the answer is what is asked about.
        """
        if not self._stating.isdisjoint(beam.triples):
            return True
        ending = filter(_ending_at(self._goal), beam.triples)
        asked = any(not self._asked.isdisjoint(stems(triple.relation)) for triple in ending)
        return asked and self._read < self.said(beam)

    def speaks(self, beam: Beam) -> bool:
        """Whether a chain says a word of the question, and the answer: its figures, most words."""
        answer = frozenset(stems(self._reading.text))
        figures = {word for word in answer if any(map(str.isdigit, word))}
        led = _ending_at(self._goal)
        for triple in beam.triples:
            told = answer.intersection(stems(triple.text))
            if led(triple) or (figures <= told and 2 * len(told) > len(answer)):
                return bool(self.said(beam))
        return False

    def said(self, beam: Beam) -> frozenset[str]:
        """The question's words that a chain says."""
        told = (stems(triple.text) for triple in beam.triples)
        return self._asked.intersection(itertools.chain.from_iterable(told))

    def _is_read(self, statement: Statement) -> bool:
        """Whether a statement is of the sentence, as far as is known, or of its copy elsewhere."""
        sentence, start, end = self._reading.sentence, statement.start, statement.end
        if not sentence or start is None or end is None:
            return True
        at = self._texts.get(statement.passage_id, "").find(sentence)
        if at < 0:
            return statement.passage_id == self._reading.passage_id
        return start < at + len(sentence) and at < end


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
