"""Dates in words and in figures, such as "2009-07-22" and "22.07.2009"."""

import re
from collections.abc import Iterator

from ....kg.extraction.mentions import DATE

_IN_FIGURES = re.compile(
    r"(?<![\w./-])(?:[12]\d{3}(?P<by>[-/.])\d\d?(?P=by)\d\d?"
    r"|\d\d?(?P<of>[-/.])\d\d?(?P=of)[12]\d{3})(?!(?!T\d)\w|[-/]\w|\.\d)"
)
_MONTHS, _DAYS = 12, 31


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


def in_figures(text: str) -> list[tuple[int, int]]:
    """Find the dates in figures; "08/05/2025" may be 8 May or 5 August, 13/13/2025 is none."""
    return [found.span() for found in _IN_FIGURES.finditer(text) if _is_day(found.group())]


def _is_day(text: str) -> bool:
    one, other = (int(n) for n in re.findall(r"\d+", text) if len(n) <= 2)
    if text[:4].isdigit():
        return 1 <= one <= _MONTHS and 1 <= other <= _DAYS
    return 1 <= min(one, other) <= _MONTHS and 1 <= max(one, other) <= _DAYS
