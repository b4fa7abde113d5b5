"""The day for a year that was read, where the page of what is asked about tells the day."""

import re
from collections.abc import Iterator, Sequence

from ...kg.text.words import stems
from .asked.dates import days_of
from .asked.names import inside, key
from .asked.question import Asked
from .pages import Page

_YEAR = re.compile(r"[12]\d{3}")


def whole_date(text: str, asked: Asked, read: str, pages: Sequence[Page]) -> str:
    """Give a year the day that a page tells of it, whose title question and sentence have.

    "When did Ann Lee release Tides?" is read in "taken from 2011's Tides", while the page called
    Tides says "It was released on 11 March 2011". Where pages tell several days it stays a year.

    Args:
        read: the sentence that the year was read in.
    """
    if asked.kind != "date" or asked.asks_year or not _YEAR.fullmatch(text):
        return text
    both = asked.key, key(read)
    about = (page for page in pages if all(inside(page.title, one) for one in both))
    told = {day for page in about for day in _days(page, int(text), asked)}
    return told.pop() if len(told) == 1 else text


def _days(page: Page, year: int, asked: Asked) -> Iterator[str]:
    """The days of a year in sentences that say what was done, or what else is asked."""
    done = asked.doing or asked.stems - frozenset(stems(page.passage.title))
    for said, sentence in zip(page.said, page.texts, strict=True):
        if done <= said if asked.doing else done & said:
            yield from (sentence[d.start : d.end] for d in days_of(sentence) if d.year == year)
