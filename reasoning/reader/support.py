"""Which statements carry an answer that the scorer chose."""

from ...kg.types import Statement
from .candidates import Candidate
from .names import inside, key
from .pages import Evidence, Page


def support_of(answer: Candidate, evidence: Evidence) -> tuple[Statement, ...]:
    """Up to two statements: from a named page to the answer's, and to the answer."""
    ending = [m for m in answer.mentions if m.statement is not None]
    if not ending:
        return ()
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


def _way(page: Page, evidence: Evidence) -> Statement | None:
    """A statement of a named page whose tail is another page's title."""
    if page in evidence.named:
        return None
    for start in evidence.named:
        for statement in start.statements:
            if inside(page.title, key(statement.triple.tail)):
                return statement
    return None
