"""Dates in figures, such as "2009-07-22" and "22.07.2009", and the words that say the same."""

import re
from collections.abc import Iterator

from ...kg.extraction.mentions import DATE, MONTH
from ...kg.text.words import stems

_IN_FIGURES = re.compile(
    r"(?<![\w./-])(?:(?P<year>[12]\d{3})(?P<by>[-/.])(\d\d?)(?P=by)(\d\d?)"
    r"|(\d\d?)(?P<of>[-/.])(\d\d?)(?P=of)(?P<last>[12]\d{3}))(?!(?!T\d)\w|[-/]\w|\.\d)"
)
_MONTHS = MONTH.strip("(?:)").split("|")
_ORDINAL = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


def is_date(text: str) -> bool:
    """Tell whether a text is a date, in words or figures, or a year."""
    return bool(DATE.fullmatch(text) or any(len(text) == e - s for s, e in in_figures(text)))


def dates_of(text: str) -> Iterator[tuple[int, int]]:
    """Find the dates and years of a text: first character, and one past the last."""
    figures = in_figures(text)
    yield from figures
    for found in DATE.finditer(text):
        if not any(start <= found.start() < end for start, end in figures):
            yield found.span()


def in_figures(text: str) -> dict[tuple[int, int], frozenset[str]]:
    """Find the dates in figures: places, and the stems of the words that say the same.

    "08/05/2025" is 8 May or 5 August, and is taken for either.
    """
    found = ((m.span(), frozenset(_said(m))) for m in _IN_FIGURES.finditer(text))
    return {place: said for place, said in found if said}


def _said(found: re.Match[str]) -> Iterator[str]:
    numbers = [int(n) for n in re.findall(r"\d+", found.group())]
    if found["year"]:
        year, *orders = numbers[0], (numbers[1], numbers[2])
    else:
        year, *orders = numbers[2], (numbers[1], numbers[0]), (numbers[0], numbers[1])
    for month, day in orders:
        if 1 <= month <= len(_MONTHS) and 1 <= day <= 31:
            yield from stems(f"{_MONTHS[month - 1]} {day} {day}{_ORDINAL.get(day, 'th')} {year}")
