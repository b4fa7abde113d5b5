"""The decision of a rule."""

from dataclasses import dataclass

from ....kg.types import Statement

RULES = ("date", "country", "both", "default", "path", "word")
"""Names of the rules, as the calibrator knows them."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer by rule.

    Args:
        rule: one of RULES.
        support: the statements that carry it, in the order of the argument.
    """

    answer: str
    rule: str
    support: tuple[Statement, ...] = ()
