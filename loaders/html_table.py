"""A table of an HTML file while it is read."""

import re
from collections.abc import Mapping

from .layout import Mark
from .tables import MAX_COLUMN, Cell

_SET_OUT = frozenset(["pre", "form", "h1", "h2", "h3", "h4", "h5", "h6"])
"""In a table that is none of data."""
_ITEM, _LINE = "\ue000", "\ue001"  # where another item, or line, of a cell begins
_PARTS = {"li": _ITEM, "br": _LINE, "div": _LINE, "p": _LINE}
_BREAK = re.compile(f" ?[{_ITEM}{_LINE}][ {_ITEM}{_LINE}]*+")


class OpenTable:
    """An open table: where it began, and its cells while it may be one of data."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.plain = True
        self.named = False  # a list of names and values: <dl>
        self.cells: list[list[Cell]] = []
        self.open: tuple[bool, int, int, list[str]] | None = None

    def element(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins in it."""
        if tag in _SET_OUT or (tag == "li" and self.named):
            self.plain = False
        elif tag in ("tr", "dt"):
            self.end_cell()
            self.cells.append([])
        if tag in ("dt", "dd", "td", "th"):
            self.end_cell()
            self.open = tag in ("dt", "th"), *_spans(attributes), []
        elif self.open and tag in _PARTS:
            self.open[3].append(_PARTS[tag])

    def end_cell(self) -> None:
        """Take up the open cell, if there is one."""
        if self.open:
            header, columns, spread, texts = self.open
            text = _in_a_line(" ".join("".join(texts).split()), header)
            if not self.cells:
                self.cells.append([])
            self.cells[-1].append(Cell(text, header, columns, spread))
            self.open = None


def _in_a_line(text: str, header: bool) -> str:
    """A cell's text, with commas between its values."""

    def between(found: re.Match[str]) -> str:
        before, behind = (
            text[max(0, found.start() - 1) : found.start()],
            text[found.end() : found.end() + 1],
        )
        ended = before.isalnum() or before in (")", "%")
        another = behind.isalnum() and (_ITEM in found.group() or not behind.islower())
        return ", " if ended and another and not header else " "

    return _BREAK.sub(between, text).strip()


def pairs(table: OpenTable) -> list[tuple[str, str]] | None:
    """Names and values of a <dl>; None where it is a glossary or anything else."""
    found = [(row[0], row[1:]) for row in table.cells if row]
    short = all(
        name.header
        and not name.text.endswith((".", "?"))
        and len(values) == 1
        and 0 < len(values[0].text) <= MAX_COLUMN
        and not values[0].text.endswith((".", "!", "?"))
        for name, values in found
    )
    if len(found) < 2 or not short:
        return None
    return [(name.text.rstrip(" :"), values[0].text) for name, values in found]


def _spans(attributes: Mapping[str, str]) -> tuple[int, int]:
    """Over how many columns and rows a cell spreads."""
    said = (attributes.get(name, "") for name in ("colspan", "rowspan"))
    across, down = (int(s) if s.isdecimal() and len(s) < 5 else 1 for s in said)
    return across, down
