"""What a question describes, asked for first: decomposition where there is no language model.

"What is the number of the woman who mends the lift?" is answered by two documents, one of which
knows no lift and the other no number. Read at once, the nearest number wins. So "Who mends the
lift?" is asked first, and then the question of her whom that names (the modular prompting of Khot
et al. 2023, §3, and self-ask, Press et al. 2023, §3, with a grammar that asks and a reader that
answers).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....kg.answers import Quote, Subanswer
from ....kg.text.words import stems
from ...reader import Reading
from ...reader.asked.names import inside, key, same_name
from ...reader.asked.subquestion import Subquestion, subquestions
from ...reader.beside import CANDIDATES
from ...reader.fields import fields_of
from ...reader.judging.confidence import SURE
from ...reader.judging.lacking import THRESHOLD, WITHHELD, sure, unsure
from ...session.parts import Retrieved
from ...session.session import Session
from .explaining import read_in

_STEPS = 3  # names that stand for descriptions, one after the other
_TRIED = 2  # descriptions, the shortest first
_NAMED = 0.3  # how sure the name of what is described has to be
_STANDS = 0.25  # … an answer of the name, where what was read at once is but that name
_AGAINST = 0.3  # … where it is told of another one
_SAID = 0.5  # of a description's words, where its thing is spoken of
_WITHHELD = 0.35  # … where what was read at once is only shown
_WHO = re.compile(r"\bwho\b", re.IGNORECASE)
_TWICE = re.compile(r"\b(who|which|that|the|of|in) \1\b", re.IGNORECASE)
_IN_STEPS = "it takes two steps or more"
_ONLY_NAMED = "what was found may not be about what the question describes"
_UNSURE_STEP = f"{_IN_STEPS}, one of which is not sure: "


@dataclass(frozen=True)
class Composed:
    """A reading in steps.

    Args:
        reading: the last step's, as sure as all steps are together.
        subanswers: the steps before it, in order.
        passages: those that the steps were read in.
    """

    reading: Reading
    subanswers: tuple[Subanswer, ...] = ()
    passages: tuple[Retrieved, ...] = ()


def composed(
    session: Session, at_once: Reading, described: Sequence[Subquestion], limit: int
) -> Composed:
    """Read a question in steps where it describes what it asks about, if that tells more.

    Args:
        at_once: the reading of the whole question.
        described: what it describes, see `descriptions`.
        limit: passages that each step reads.
    """
    alone = Composed(at_once)
    if at_once.answered and at_once.rule not in ("", "sentence"):
        return alone  # a path of relations is followed step by step as it is
    best, steps, guesses = None, described, list[str]()
    so_far = Composed(replace(at_once, confidence=1.0, missing="", withheld=False))
    for _ in range(_STEPS):
        named = _named(session, so_far, steps, limit, guesses)
        if named is None:
            break
        step, so_far = named
        name = so_far.subanswers[-1].text
        if _tells_of(name, at_once, session):
            return replace(so_far, reading=at_once)
        question = step.asked_of(name)
        reading, passages = _read(session, question, limit)
        reached = _and_then(so_far, reading, passages)
        if reading.text and (best is None or reached.reading.confidence > best.reading.confidence):
            best = reached
        steps = descriptions(session, question)
    if best is not None:
        return _preferred(at_once, best)
    if so_far.subanswers:
        return alone
    unsure = at_once.answered and at_once.confidence < SURE and _WHO.search(session.question)
    if unsure and any(guess and _same(guess, at_once.text) for guess in guesses):
        return Composed(_withheld(at_once, _ONLY_NAMED))
    return _unless_unsaid(session, at_once, described)


def descriptions(session: Session, question: str) -> list[Subquestion]:
    """What a question describes, each as a question of its own, the shortest first."""
    once = _TWICE.sub(r"\1", question)  # as typed, no grammar understands it
    return subquestions(next(iter(session.parts.parse([once]))))[:_TRIED]


def _unless_unsaid(
    session: Session, at_once: Reading, described: Sequence[Subquestion]
) -> Composed:
    """What was read at once, not to be asserted where it is told of nobody described.

    Of "On which day does the firm that sells the paint come?" that is the day on which some firm
    comes of which no passage says what it sells.
    """
    page = next((p for p in session.found if p.id == at_once.passage_id), None)
    row = len(fields_of(at_once.sentence, 0)) > 1  # prose says it in other words
    if not at_once.answered or page is None or not row:
        return Composed(at_once)
    said = frozenset(stems(f"{page.title} {page.heading} {page.text}"))
    for step in described:
        words = frozenset(stems(step.text))
        if step.clause and len(words & said) < _SAID * len(words):
            return Composed(_withheld(at_once, f"no passage found tells this: {step.text}"))
    return Composed(at_once)


def _withheld(reading: Reading, missing: str) -> Reading:
    shown = tuple((text, min(chance, WITHHELD)) for text, chance in reading.candidates)
    kept = {"confidence": WITHHELD, "candidates": shown, "missing": missing}
    return replace(reading, **kept, withheld=True)


def _named(
    session: Session,
    so_far: Composed,
    steps: Sequence[Subquestion],
    limit: int,
    guesses: list[str],
) -> tuple[Subquestion, Composed] | None:
    """The first description of which something is said to be it, and that; None without one.

    Args:
        guesses: takes who each may be, however likely; "" where it is nobody that is described.
    """
    for step in steps:
        reading, passages = _read(session, step.text, limit)
        guesses.append(reading.text if _WHO.match(step.text) else "")
        if reading.text and reading.confidence >= _NAMED:
            quote = Quote(reading.passage_id, reading.sentence) if reading.sentence else None
            found = reading.text, reading.confidence, quote, reading.withheld
            answer = Subanswer(step.text, *found)
            reached = _and_then(so_far, reading, passages)
            return step, replace(reached, subanswers=(*so_far.subanswers, answer))
    return None


def _read(session: Session, question: str, limit: int) -> tuple[Reading, list[Retrieved]]:
    found = session.look(question, limit)
    statements = session.graph.triples_of([one.passage.id for one in found])
    scored = [(one.passage, one.score) for one in found]
    return read_in(session, question, scored, statements), found


def _and_then(so_far: Composed, reading: Reading, passages: list[Retrieved]) -> Composed:
    """One more step: what both rest on, as sure as both are."""
    before = so_far.reading
    support = (*(before.support if so_far.subanswers else ()), *reading.support)
    confidence = before.confidence * reading.confidence
    telling = [one for one in passages if one.passage.id == reading.passage_id]
    missing = _missing(before, reading, confidence) if so_far.subanswers else reading.missing
    withheld = before.withheld or reading.withheld
    candidates = tuple((text, chance * before.confidence) for text, chance in reading.candidates)
    together = replace(reading, confidence=confidence, candidates=candidates)
    return Composed(
        replace(together, support=support, missing=missing, withheld=withheld),
        so_far.subanswers,
        (*so_far.passages, *telling),
    )


def _missing(before: Reading, last: Reading, confidence: float) -> str:
    """Why steps together do not suffice: what keeps one back, else how sure they are."""
    if confidence >= THRESHOLD:
        return ""
    if before.withheld:
        reason = before.missing.removeprefix(_UNSURE_STEP)
        return f"{_UNSURE_STEP}{reason}"
    if last.answered or last.missing == unsure(last.confidence):
        return f"{_IN_STEPS}, which are together {sure(confidence)}"
    return last.missing


def _tells_of(name: str, at_once: Reading, session: Session) -> bool:
    """Whether the answer that was read at once is told of a name, and is another one."""
    if not at_once.answered or _same(name, at_once.text):
        return False
    titles = (p.title for p in session.found if p.id == at_once.passage_id)
    return inside(key(name), key(" ".join([*titles, at_once.sentence])))


def _preferred(at_once: Reading, steps: Composed) -> Composed:
    """Which of both readings to give, and how sure it is.

    What was read at once, and is told of another one than the name that was found, gives way; and
    so does that name itself, which only describes what is asked for: else it has to be sure.
    """
    found, said = steps.reading.confidence, at_once.confidence
    if _same(steps.reading.text, at_once.text):
        return steps if found > said else replace(steps, reading=at_once)
    is_described = any(_same(one.text, at_once.text) for one in steps.subanswers)
    if is_described or at_once.answered:
        better = found >= (_STANDS if is_described else _AGAINST)
    else:
        better = found > said or (at_once.withheld and found >= _WITHHELD)
    if not better:
        named = is_described and at_once.answered and said < SURE
        return Composed(_withheld(at_once, _ONLY_NAMED) if named else at_once)
    second = (at_once.text, min(said, found, 1 - found))
    others = [one for one in steps.reading.candidates[1:] if not _same(one[0], at_once.text)]
    rest = sorted([second, *others], key=lambda one: -one[1])[: CANDIDATES - 1]
    candidates = ((steps.reading.text, found), *rest)
    return replace(steps, reading=replace(steps.reading, candidates=candidates))


def _same(first: str, second: str) -> bool:
    """Whether two answers are one: of numbers all digits count."""
    one, other = key(first), key(second)
    if inside(one, other) or inside(other, one):
        return True
    return not any(map(str.isdigit, one + other)) and same_name(one, other)
