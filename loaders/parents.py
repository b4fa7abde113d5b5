"""Headings that several sections share, under the heading of what they are part of.

"4.1 Payment" and "5.1 Payment" are "Rents: Payment" and "Moorings: Payment", by their numbers.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..kg.text.titles import bears
from ..kg.types import Section
from .layout import heading_of

_NUMBER = re.compile(r"((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*)[.:)]*\s")


def under_parents(sections: Sequence[Section], lines: Sequence[str]) -> list[Section]:
    """Say above which heading one stands that is said twice or more.

    Args:
        sections: of a document, with headings without numbers.
        lines: that each begins with, as they stand in the text.
    """
    told = zip(sections, lines, strict=True)
    numbers = [_number(line, section.heading) for section, line in told]
    named = zip(sections, numbers, strict=True)
    said = Counter(section.heading.casefold() for section, number in named if number)
    written, parents, last = list[Section](), dict[str, str](), ("", "")
    for section, number in zip(sections, numbers, strict=True):
        own = heading = section.heading
        above = parents.get(number.rpartition(".")[0], "")
        if said[own.casefold()] > 1 and above not in ("", own):
            heading = heading_of(f"{above}: {own}")
        elif not number and own == last[0]:  # it goes on, on another page
            heading = last[1]
        last = own, heading
        if number:
            parents[number] = own
        written.append(replace(section, heading=heading))
    return written


def _number(line: str, heading: str) -> str:
    """The number of a heading that a line is, "" where it has none."""
    found = _NUMBER.match(line)
    plain = found and (bears(line, heading) or line[found.end() :].strip() == heading)
    return found[1].removesuffix(".0") if plain and found else ""
