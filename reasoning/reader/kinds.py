"""Whether a candidate is of the type that a question asks for."""

import re

from ...kg.extraction.triples import DATE
from .candidates import Mention
from .question import Asked, kind_of

_LABELS = {
    "person": frozenset({"PERSON"}),
    "place": frozenset({"GPE", "LOC", "FAC"}),
    "date": frozenset({"DATE"}),
    "number": frozenset({"CARDINAL", "QUANTITY"}),
    "group": frozenset({"ORG"}),
    "work": frozenset({"WORK"}),
}
_NEVER = {
    "person": frozenset({"DATE", "CARDINAL", "QUANTITY", "NORP"}),
    "place": frozenset({"DATE", "CARDINAL", "QUANTITY", "PERSON"}),
    "date": frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK", "NORP"}),
    "number": frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK", "NORP"}),
    "group": frozenset({"DATE", "CARDINAL", "QUANTITY"}),
    "work": frozenset({"DATE", "QUANTITY"}),
    "other": frozenset[str](),
}
_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million billion dozen half twice once"
)
_NUMBER = re.compile(r"\d|\b(?:" + "|".join(_NUMBERS.split()) + r")\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"[\d.,%\s]+")
_VERDICT = re.compile(r"yes|no|true|false", re.IGNORECASE)
_TIME = re.compile(
    r"\b\d{3,4}\b|\b(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century"
    r"|spring|summer|autumn|winter)\b|\d{1,2}[:.]\d\d",
    re.IGNORECASE,
)


def fit(asked: Asked, mention: Mention, text: str) -> float:
    """Tell how a candidate fits the type asked for: 1 yes, -1 no, between: its words allow it."""
    kind, label = asked.kind, mention.label
    if kind in ("choice", "yesno"):
        return 0.0
    if kind == "date":
        return _date(text)
    if kind == "number":
        return _number(text, asked)
    wanted, never = _LABELS.get(kind, frozenset[str]()), _NEVER[kind]
    if label in wanted:
        return 1.0
    if label in never or (kind != "work" and DATE.fullmatch(text)):
        return -1.0
    if kind == "other":
        return 0.0
    if not any(c.isupper() for c in text):
        return -0.5 if kind in ("place", "group", "work") else -1.0
    return 0.5 if label in ("NAME", "TITLE", "END") else 0.2


def contradicts(asked_for: str, text: str) -> bool:
    """Tell whether words alone show that an answer is of another kind than what is asked for.

    Args:
        asked_for: a noun: "person", "date", "film director"; one that names no kind is never
            contradicted, such as "name".
    """
    noun = asked_for.strip().casefold()
    kind = noun if noun in _LABELS else kind_of(f"Which {noun} is it?") if noun else "other"
    if kind == "date":
        return not (_TIME.search(text) or _DIGIT.search(text))
    if kind == "number":
        return not _NUMBER.search(text)
    if kind in ("person", "place", "group"):
        bare = text.strip(" .")
        nobody = kind == "person" and bare == bare.lower() != bare.upper()  # in letters with cases
        other = DATE.fullmatch(bare) or _FIGURE.fullmatch(bare) or _VERDICT.fullmatch(bare)
        return nobody or bool(other)
    return False


def _date(text: str) -> float:
    if not _TIME.search(text):
        return -1.0
    return 1.0 if DATE.fullmatch(text) or re.fullmatch(r"\d{4}", text) else 0.3


def _number(text: str, asked: Asked) -> float:
    if not _NUMBER.search(text):
        return -1.0
    year = re.fullmatch(r"(?:1[5-9]|20)\d\d", text) or DATE.fullmatch(text)
    return -0.5 if year and not asked.unit.startswith("year") else 1.0
