"""The decision of a rule."""

from dataclasses import dataclass

from ....kg.types import Statement
from ..pages import Page

RULES = ("date", "country", "both", "default", "path", "word")
"""Names of the rules, as the calibrator knows them."""


REPLY = "reply"
"""The rule that a page's own question and answer decide by, as sure as a path of one triple."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer by rule.

    Args:
        rule: one of RULES, or REPLY.
        support: the statements that carry it, in the order of the argument.
        read: page and sentence that say it, where no statement does.
    """

    answer: str
    rule: str
    support: tuple[Statement, ...] = ()
    read: tuple[Page, int] | None = None
