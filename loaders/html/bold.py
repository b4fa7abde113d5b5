"""Lines in bold that stand alone in an HTML page: headings of pages that mark them no better."""

import re
from collections import Counter

from ...kg.types import Section
from ..layout import MAX_HEADING, Layout, heading_of

_STOPPED = re.compile(r"[.,;!…]$")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_WORDS = 20
_LEAST = 3  # lines that each say something else; fewer are emphasis


class BoldLines:
    """Takes up a page's lines as they end."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._mark, self._texts = layout.mark(), (0, 0)
        self._empty = False  # whether the line before has nothing
        self._places: list[tuple[int, int]] = []

    def end(self, thin: int, said: int, inside: bool, item: bool, break_: bool) -> None:
        """A line ends.

        Args:
            thin: texts of the page so far that are not bold.
            said: those outside of links.
            inside: whether it is of a table, a heading or code.
            item: whether it is of an item, which many pages leave open: an empty line ends it.
            break_: whether a line break ends it, and no block.
        """
        mark, (before, unsaid) = self._mark, self._texts
        length = self._layout.length - mark[1]
        if (
            thin == before
            and said > unsaid
            and not inside
            and (self._empty or not item)
            and 0 < length <= MAX_HEADING
        ):
            text = self._layout.since(mark)
            words = len(text.split())
            if "\n" not in text and words <= _WORDS and not _STOPPED.search(text):
                self._places.append(self._layout.apart(mark))
        self._empty = break_ and not length
        self._mark, self._texts = self._layout.mark(), (thin, said)

    def with_headings(self, text: str) -> list[Section]:
        """The sections of the page, with those that lines in bold begin."""
        told = self._layout.sections
        lines = [(start, text[start:end]) for start, end in self._places if end <= len(text)]
        often = Counter(line.casefold() for _, line in lines)
        begun = {section.start for section in told}
        lines = [
            (start, line)
            for start, line in lines
            if often[line.casefold()] == 1 and start not in begun and _LETTERS.search(line)
        ]
        found = [Section(start, heading_of(line)) for start, line in lines]
        return sorted([*told, *found], key=lambda s: s.start) if len(found) >= _LEAST else told
