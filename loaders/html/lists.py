"""A list of an HTML file, with the lists in it, while it is read."""

import re

from ..layout import Mark
from ..outline import Item, described, fields, outlined
from ..tables import Row

LISTS = frozenset(["ul", "ol"])
LONGEST_DATE = 40  # characters
_DATE = re.compile(r"(?=.*\d)[^.!?:]{2,30}")  # "[10-Sep 2017]"
_PARAGRAPHS = frozenset(["p", "div"])
_SET_OUT = frozenset(
    "blockquote br dl form h1 h2 h3 h4 h5 h6 hr img input pre section table".split()
)
"""In an item that is no line."""


class OpenList:
    """An open list: where it began, and its items while each is a line.

    Args:
        about: the heading that it stands under, "" where text is between.
    """

    def __init__(self, mark: Mark, about: str) -> None:
        self.mark = mark
        self._about = about
        self._plain = True
        self._open = 0  # lists
        self._items: list[tuple[int, list[str]]] = []

    def element(self, tag: str) -> None:
        """An element begins in it."""
        if tag in LISTS:
            self._open += 1
        elif tag == "li":
            self._items.append((self._open - 1, []))
        elif tag in _SET_OUT or (tag in _PARAGRAPHS and self._items and self._items[-1][1]):
            self._plain = False

    def data(self, text: str) -> None:
        """Characters; none may stand behind a list in an item, or between items."""
        if not text.strip() and not (self._items and self._items[-1][1]):
            return
        if self._items and self._items[-1][0] == self._open - 1:
            self._items[-1][1].append(text)
        elif text.strip():
            self._plain = False

    def end(self, tag: str) -> bool:
        """An element ends in it; says whether that is the list."""
        self._open -= tag in LISTS
        return not self._open

    def rows(self) -> list[Row] | None:
        """A row a line; None where nothing in it is one of a table."""
        items = [Item(depth, " ".join("".join(said).split())) for depth, said in self._items]
        if not self._plain or not all(item.text for item in items):
            return None
        texts = [item.text for item in items]
        written = outlined(items, fields(texts))
        if written or any(item.depth for item in items):
            return written
        return described(texts, self._about, fields(texts))


def is_date(text: str) -> bool:
    """Whether how an item begins may be the date of what follows."""
    return _DATE.fullmatch(text.strip()) is not None
