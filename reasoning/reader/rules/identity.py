"""The rule for "Who is Ann Lee?": what a sentence says she is."""

from ..asked.names import key
from ..pages import Evidence
from .rulings import Ruling

_IS = frozenset({"is", "was"})


def by_identity(evidence: Evidence) -> Ruling | None:
    """Answer by the first statement that says what the one asked about is, or return None."""
    if not evidence.asked.identity:
        return None
    called = {key(name) for name in evidence.asked.called}
    told = (
        Ruling(statement.triple.tail, "path", (statement,))
        for page in evidence.pages
        for statement in page.statements
        if statement.triple.relation in _IS
        and key(statement.triple.head) in called
        and not statement.triple.tied
    )
    return next(told, None)
