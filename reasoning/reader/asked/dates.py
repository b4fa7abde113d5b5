"""Dates in words and in figures, such as "2009-07-22" and "22.07.2009", and their days."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....kg.extraction.mentions import DATE

_IN_FIGURES = re.compile(
    r"(?<![\w./-])(?:[12]\d{3}(?P<by>[-/.])\d\d?(?P=by)\d\d?"
    r"|\d\d?(?P<of>[-/.])\d\d?(?P=of)[12]\d{3})(?!(?!T\d)\w|[-/]\w|\.\d)"
)
_MONTHS, _DAYS = 12, 31
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b"
)
_YEAR = r"(?:,? ([12]\d{3}))?(?!\d)"
_OF_MONTH = re.compile(  # "23 July 2024", "the 23rd of July", "July 23rd"; "may 5" is none
    rf"(?i:(?<![\d.])(\d\d?)(?:st|nd|rd|th)?\.?(?: of)? {_MONTH}\.?{_YEAR})"
    rf"|\b{_MONTH}\.? (\d\d?)(?!\d)(?:st|nd|rd|th)?\b{_YEAR}"
)
_WHOLE_YEAR = re.compile(r"(?<![\w./-])(?:1[5-9]|20)\d\d(?![\w/]|-\w)")
_SHORT_YEAR = re.compile(  # "in '91"; not of "the '12 metre'"
    r"\b(in|of|by|from|since|until|after|before) ['’](\d\d)(?![\w'’])", re.IGNORECASE
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Day(NamedTuple):
    """A day, and the characters that name it; year 0 where they give none."""

    start: int
    end: int
    year: int
    month: int
    day: int


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


def days_of(text: str) -> Iterator[Day]:
    """Find the days that a text names; of "08/05/2025" both that it may be, not of "08.05.2025"."""
    for one in _OF_MONTH.finditer(text):
        day, month, year = one.group(1, 2, 3) if one[1] else one.group(5, 4, 6)
        yield Day(*one.span(), int(year or 0), MONTHS.index(month[:3].casefold()) + 1, int(day))
    for start, end in in_figures(text):
        numbers = [int(n) for n in re.findall(r"\d+", text[start:end])]
        year = max(numbers)
        first, second = (n for n in numbers if n != year)
        day_first = numbers[0] != year
        if first <= _MONTHS and not (day_first and "." in text[start:end]):
            yield Day(start, end, year, first, second)
        if day_first and second <= _MONTHS and (second != first or "." in text[start:end]):
            yield Day(start, end, year, second, first)


def as_texts_write_days(question: str, texts: Sequence[str]) -> str:
    """Write the days of a question as the texts do, where they write them otherwise alone.

    "7 May 2024" becomes the "2024-05-07" of a table's rows, "in '91" has the one year that ends so.
    """
    question = _SHORT_YEAR.sub(lambda short: _in_full(short, texts), question)
    for asked in sorted(_certain(question), reverse=True):
        said = question[asked.start : asked.end]
        if any(said in text for text in texts):
            continue
        forms = Counter(
            text[one.start : one.end]
            for text in texts
            for one in _certain(text)
            if _same(one, asked)
        )
        if forms:
            form = forms.most_common(1)[0][0]
            question = f"{question[: asked.start]}{form}{question[asked.end :]}"
    return question


def _in_full(short: re.Match[str], texts: Sequence[str]) -> str:
    """Give "in '91" the year that the texts say, if one alone ends so."""
    every = (year for text in texts for year in _WHOLE_YEAR.findall(text))
    meant = {year for year in every if year.endswith(short[2])}
    return f"{short[1]} {meant.pop()}" if len(meant) == 1 else short.group()


def _certain(text: str) -> list[Day]:
    """Those that may be no other day."""
    found = list(days_of(text))
    readings = Counter((one.start, one.end) for one in found)
    return [one for one in found if readings[one.start, one.end] == 1]


def _same(one: Day, other: Day) -> bool:
    years = one.year == other.year or 0 in (one.year, other.year)
    return years and (one.month, one.day) == (other.month, other.day)


def _is_day(text: str) -> bool:
    one, other = (int(n) for n in re.findall(r"\d+", text) if len(n) <= 2)
    if text[:4].isdigit():
        return 1 <= one <= _MONTHS and 1 <= other <= _DAYS
    return 1 <= min(one, other) <= _MONTHS and 1 <= max(one, other) <= _DAYS
