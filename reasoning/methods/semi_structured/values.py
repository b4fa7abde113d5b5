"""Values with a type, dates and numbers, and what follows from two of them exactly."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ....kg.text.words import fold, normal_form

Verdict = Literal["least", "most", "same"]

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in _MONTHS)
_ISO = re.compile(r"[+]?(-?\d{4})-(\d\d)(?:-(\d\d))?(?:t.*)?")
_DAY_FIRST = re.compile(rf"(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+)?({_MONTH})\.?,?\s+(\d{{3,4}})")
_MONTH_FIRST = re.compile(rf"({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{3,4}})")
_YEAR = re.compile(r"(?:c\.|ca\.?|circa|about)?\s*(\d{3,4}(?!\d)|\d{1,4}(?=\s*bc))\s*(bce?|ad|ce)?")
_NUMBER = re.compile(r"(-?\d{1,3}(?:[, ]\d{3})+|-?\d+)(\.\d+)?\s*([a-z%²³°/]*(?:\s[a-z]+)?)")
_OF_TIME = re.compile(
    r"\b(?:dates?|years?|when|time|days?|months?|century|born on|died on|founded|established|"
    r"inception|publication|released?)\b"
)
_OF_NUMBERS = re.compile(
    r"\b(?:numbers?|count|how (?:many|long|high|old)|population|length|height|area|age|size|"
    r"weight|depth|width|elevation|amount|duration|kilomet\w+|met(?:er|re)s?|miles?)\b"
)
_LEAST = re.compile(
    r"\b(?:earlier|earliest|first|older|oldest|before|shorter|smaller|fewer|less)\b"
)
_MOST = re.compile(
    r"\b(?:later|latest|last|younger|youngest|after|longer|larger|bigger|higher|more)\b"
)
_SAME = re.compile(r"\bsame\b")
_OLDER_IS_LEAST = re.compile(r"\b(?:lived|living)\b")  # no date alone says how long


class Typed(NamedTuple):
    """A date or a number.

    Args:
        kind: "date", or the unit of a number, "" where it has none.
        parts: year, month, day, as far as they are known; or the number.
    """

    kind: str
    parts: tuple[float, ...]


def typed(text: str) -> Typed | None:
    """Read a value; None for what is no date and no number."""
    said = " ".join(fold(text).split())
    if found := _ISO.fullmatch(said):
        return Typed("date", tuple(float(part) for part in found.groups() if part and int(part)))
    if found := _DAY_FIRST.fullmatch(said):
        day = (float(found[1]),) if found[1] else ()
        return Typed("date", (float(found[3]), _month(found[2]), *day))
    if found := _MONTH_FIRST.fullmatch(said):
        return Typed("date", (float(found[3]), _month(found[1]), float(found[2])))
    if found := _YEAR.fullmatch(said):
        sign = -1 if (found[2] or "").startswith("b") else 1
        return Typed("date", (sign * float(found[1]),))
    if found := _NUMBER.fullmatch(said):
        number = re.sub(r"[, ]", "", found[1]) + (found[2] or "")
        return Typed(found[3].strip(), (float(number),))
    return None


def fits(relation: str, value: str) -> bool:
    """Say whether a value may be what a relation asks for: a date for a date, a number for one."""
    read, asked = typed(value), fold(relation)
    of_time, of_numbers = _OF_TIME.search(asked), _OF_NUMBERS.search(asked)
    if read is None:
        return not re.search(r"\b(?:dates?|years?|number|how many)\b", asked)
    return bool(of_numbers) or (read.kind == "date" and bool(of_time))


def verdict_of(question: str) -> Verdict | None:
    """Tell what a question compares its values by; None where it does not, or not so."""
    said = fold(question)
    if _SAME.search(said):
        return "same"
    least, most = bool(_LEAST.search(said)), bool(_MOST.search(said))
    if least == most or _OLDER_IS_LEAST.search(said):
        return None
    return "least" if least else "most"


def first_of(values: Sequence[str], verdict: Verdict) -> int | None:
    """Find which value is the least or the most; None where that is not certain.

    Dates of different precision are compared by what both have; equal there, they stay open.
    """
    read = [typed(value) for value in values]
    if any(one is None for one in read) or len({one.kind for one in read if one}) != 1:
        return None
    parts = [one.parts for one in read if one]
    shortest = min(map(len, parts))
    cut = [one[:shortest] for one in parts]
    best = min(cut) if verdict == "least" else max(cut)
    return cut.index(best) if cut.count(best) == 1 else None


def meet(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Tell whether two sets of values have one in common; None where the types differ."""
    if {normal_form(value) for value in one} & {normal_form(value) for value in other}:
        return True
    dates = [[read for value in values if (read := typed(value))] for values in (one, other)]
    if bool(dates[0]) != bool(dates[1]):
        return None
    for left in dates[0]:
        for right in dates[1]:
            shared = min(len(left.parts), len(right.parts))
            if left.kind == right.kind and left.parts[:shared] == right.parts[:shared]:
                return True if len(left.parts) == len(right.parts) else None
    return False


def _month(name: str) -> float:
    return float(next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3])))
