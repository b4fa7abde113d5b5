"""Values with a type, dates and numbers, and what follows from two of them exactly."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ....kg.text.words import fold, normal_form
from ...countries import country_of

Verdict = Literal["least", "most", "same"]
_UNITS = {
    "length": (
        ("mm millimetre millimeter", 0.001),
        ("cm centimetre centimeter", 0.01),
        ("m metre meter", 1.0),
        ("km kilometre kilometer", 1000.0),
        ("in inch", 0.0254),
        ("ft foot feet", 0.3048),
        ("yd yard", 0.9144),
        ("mi mile", 1609.344),
    ),
    "area": (
        ("m2 sqm", 1.0),
        ("ha hectare", 10_000.0),
        ("km2 sqkm", 1_000_000.0),
        ("acre", 4046.8564224),
        ("sqmi", 2_589_988.110336),
        ("sqft", 0.09290304),
    ),
    "mass": (
        ("g gram", 0.001),
        ("kg kilogram", 1.0),
        ("t ton tonne", 1000.0),
        ("lb pound", 0.45359237),
    ),
    "time": (
        ("s sec second", 1.0),
        ("min minute", 60.0),
        ("h hr hour", 3600.0),
        ("d day", 86_400.0),
        ("week", 604_800.0),
    ),
}
_FACTORS = {
    name: (kind, factor)
    for kind, units in _UNITS.items()
    for names, factor in units
    for name in names.split()
}
_LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_SQUARE = re.compile(r"^(?:square |sq\.? ?)")

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in _MONTHS)
_ISO = re.compile(r"[+]?(-?\d{4})-(\d\d)(?:-(\d\d))?(?:t.*)?")
_DAY_FIRST = re.compile(rf"(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+)?({_MONTH})\.?,?\s+(\d{{3,4}})")
_MONTH_FIRST = re.compile(rf"({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{3,4}})")
_YEAR = re.compile(r"(?:c\.|ca\.?|circa|about)?\s*(\d{3,4}(?!\d)|\d{1,4}(?=\s*bc))\s*(bce?|ad|ce)?")
_NUMBER = re.compile(
    r"(-?\d{1,3}(?:[, ]\d{3})+|-?\d+)(\.\d+)?\s*(thousand|million|billion)?\s*"
    r"([a-z%³°/$€£.]*[23]?(?:\s[a-z]+)?)"
)
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
_SAME = re.compile(r"\bsame\b|\bshare\b")
_OF_COUNTRIES = re.compile(r"\b(?:countr(?:y|ies)|nationalit(?:y|ies)|nations?|citizens?\w*)\b")
_LIVED = re.compile(r"\b(?:lived|living)\b")  # no date alone says how long
_COUNTED = re.compile(r"\b(more|fewer|less|most|fewest) (?!than\b)[a-z]+")
_HOW_MANY = re.compile(r"\bhow many\b")


class Typed(NamedTuple):
    """A date or a number.

    Args:
        kind: "date"; "length", "area", "mass" or "time" of a number, which is then in metres,
            square metres, kilograms or seconds; else its unit, "" where it has none.
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
        number = float(re.sub(r"[, ]", "", found[1]) + (found[2] or ""))
        kind, factor = _unit(found[4].strip())
        return Typed(kind, (number * _LARGE.get(found[3] or "", 1.0) * factor,))
    return None


def _unit(said: str) -> tuple[str, float]:
    """What a unit measures, and what one is; the unit itself where it is not known."""
    square = _SQUARE.search(said)
    name = _SQUARE.sub("", said).rstrip(".")
    known = [name, name.removesuffix("s"), name.removesuffix("es")]
    if square:
        for one in known:
            if (found := _FACTORS.get(one)) and found[0] == "length":
                return "area", found[1] ** 2
    return next((_FACTORS[one] for one in known if one in _FACTORS), (said, 1.0))


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
    if least == most or _LIVED.search(said):
        return None
    return "least" if least else "most"


def of_countries(question: str) -> bool:
    """Say whether a question compares countries."""
    return bool(_OF_COUNTRIES.search(fold(question)))


def of_lives(question: str) -> bool:
    """Say whether a question compares how long somebody lived: the longer, as it is asked."""
    said = fold(question)
    return bool(_LIVED.search(said) and _MOST.search(said) and not _LEAST.search(said))


def of_counts(question: str) -> Verdict | None:
    """Tell whether a question compares how many there are ("more children"), and which it wants."""
    found = _COUNTED.search(fold(question))
    return None if not found else "most" if found[1] in ("more", "most") else "least"


def asks_count(question: str) -> bool:
    """Say whether a question asks how many there are."""
    return bool(_HOW_MANY.search(fold(question)))


def longest(lives: Sequence[tuple[str, str]]) -> int | None:
    """Find which life from a birth to a death is the longest; None where that is not certain.

    A date without month or day may be any time of its year: lives that may be equal stay open.
    """
    spans: list[tuple[float, float]] = []
    for birth, death in lives:
        ends = typed(birth), typed(death)
        if any(one is None or one.kind != "date" for one in ends):
            return None
        (born, by), (died, until) = (_range(one) for one in ends if one)
        spans.append((died - by, until - born))
    best = max(range(len(spans)), key=lambda n: spans[n][0])
    others = (until for n, (_, until) in enumerate(spans) if n != best)
    return best if spans and all(until < spans[best][0] for until in others) else None


def _range(date: Typed) -> tuple[float, float]:
    """The first and the last day that a date may be, in days."""
    year, month, day = (*date.parts, 0.0, 0.0)[:3]
    first = year * 365.2425 + (month - 1 if month else 0) * 30.4369 + (day - 1 if day else 0)
    return first, first + (0 if day else 30 if month else 365)


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


def of_one_country(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Tell whether two sets name one country, "French" and "France"; None where that is not sure.

    What is no country of today's names, as a town or a former state, is the same only by its name.
    """
    if {normal_form(value) for value in one} & {normal_form(value) for value in other}:
        return True
    known = [[country_of(value) for value in values] for values in (one, other)]
    if {name for name in known[0] if name} & set(known[1]):
        return True
    sure = all(name for names in known for name in names) and all(known)
    return False if sure else None


def _month(name: str) -> float:
    return float(next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3])))
