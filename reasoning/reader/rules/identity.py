"""The rule for "Who is Ann Lee?": what a sentence says she is."""

import re

from ..asked.names import key
from ..pages import Evidence
from .rulings import Ruling

_IS = frozenset({"is", "was"})
_OFFICES = re.compile(  # of people, in capitals
    r"C[A-Z]{1,2}O|[SE]?VP|MP|MEP|MSP|MLA|MC|DJ|MD|GP|PM|PA|QC|KC|PI|POW|VIP|TA|RN|NCO|DBA|HR|ED"
)


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
        and not _is_code(statement.triple.head, statement.triple.tail)
    )
    return next(told, None)


def _is_code(name: str, said: str) -> bool:
    """Whether a word in capitals is no more than that: no "CEO", nor said all in capitals."""
    alone = len(said.split()) == 1 and said.isupper() and not name.isupper()
    return alone and not _OFFICES.fullmatch(said)
