"""Statements that carry an answer which was read, not followed by a rule."""

from itertools import islice

from ...kg.text.words import terms
from ...kg.types import Statement
from .asked.names import inside, key
from .candidates import AnswerCandidate, Mention
from .pages import Evidence, Page
from .placed.place import Place


def support_of(
    answer: AnswerCandidate, evidence: Evidence, place: Place | None
) -> tuple[Statement, ...]:
    """Find up to two statements: from a named page to the answer's, and to the answer.

    The last is of the sentence that the answer was read in, or of what the question names or leads
    to: others only speak of it as well. Where none ends at the answer, it is one that ends at a
    part of it: at the "Monday" of "every second Monday".
    """
    named = {page.title for page in evidence.named}.union(map(key, evidence.asked.called))
    beyond = {page.title for page in evidence.linked}
    ending = [
        (mention, mention.statement)
        for mention in answer.mentions
        if mention.statement is not None
        and (
            place is None
            or _beside(mention, place)
            or key(mention.statement.triple.head) in named | beyond
        )
    ]
    if not ending:
        return _at_a_part(answer, place)

    def order(n: int) -> tuple[bool, int, bool, bool, bool, int]:
        mention, statement = ending[n]
        triple, head = statement.triple, key(statement.triple.head)
        said = evidence.asked.stems.intersection(
            terms(f"{triple.head} {triple.relation} {triple.tail}")
        )
        return (
            triple.tied,
            -len(said),
            mention.reverse,
            head not in named,
            head not in beyond,
            n,
        )

    mention, statement = ending[min(range(len(ending)), key=order)]
    way = _way(mention.page, evidence)
    return (way, statement) if way is not None else (statement,)


def _beside(mention: Mention, place: Place) -> bool:
    """Whether a mention stands in the sentence that the answer was read in."""
    read = place.mention
    return mention.page is read.page and mention.sentence == read.sentence


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
