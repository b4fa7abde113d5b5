"""Statements that carry an answer which was read, not followed by a rule."""

from itertools import islice

from ...kg.types import Statement
from .alignment import Place
from .candidates import AnswerCandidate
from .names import inside, key
from .pages import Evidence, Page


def support_of(
    answer: AnswerCandidate, evidence: Evidence, place: Place | None
) -> tuple[Statement, ...]:
    """Find up to two statements: from a named page to the answer's, and to the answer.

    Where none ends at it, that of its sentence which ends at a part of it: at the "Monday" of
    "every second Monday".
    """
    ending = [m for m in answer.mentions if m.statement is not None]
    if not ending:
        return _at_a_part(answer, place)
    named = {page.title for page in evidence.named}
    beyond = {page.title for page in evidence.linked}

    def order(n: int) -> tuple[bool, bool, bool, bool, int]:
        mention = ending[n]
        assert mention.statement is not None
        head = key(mention.statement.triple.head)
        return (
            mention.reverse,
            mention.statement.triple.tied,
            head not in named,
            head not in beyond,
            n,
        )

    mention = ending[min(range(len(ending)), key=order)]
    assert mention.statement is not None
    way = _way(mention.page, evidence)
    return (way, mention.statement) if way is not None else (mention.statement,)


def _at_a_part(answer: AnswerCandidate, place: Place | None) -> tuple[Statement, ...]:
    if place is None:
        return ()
    page, sentence = place.mention.page, place.mention.sentence
    said = [s for s in page.statements if page.sentence_of(s) == sentence and not s.triple.tied]
    parts = (s for s in said if inside(key(s.triple.tail), answer.key))
    return tuple(islice(parts, 1))


def _way(page: Page, evidence: Evidence) -> Statement | None:
    """A statement of a named page whose tail is another page's title."""
    if page in evidence.named:
        return None
    for start in evidence.named:
        for statement in start.statements:
            if inside(page.title, key(statement.triple.tail)):
                return statement
    return None
