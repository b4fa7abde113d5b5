"""A table of an HTML file while it is read."""

import re
from collections.abc import Mapping
from dataclasses import replace

from ..layout import Mark
from ..tables import LABEL, MAX_COLUMN, Cell, names_columns

_SET_OUT = frozenset(["pre", "form", "h1", "h2", "h3", "h4", "h5", "h6"])
"""In a table that is none of data."""
_CELLS = frozenset(["dt", "dd", "td", "th"])
_ITEM, _LINE = "\ue000", "\ue001"  # where another item, or line, of a cell begins
_BOLD, _THIN = "\ue002", "\ue003"  # where bold text begins, and ends
_NOT_THIN = re.compile(f"{_BOLD}[^{_THIN}]*{_THIN}?|[{_ITEM}{_LINE}\\s]")  # all but plain text
_PARTS = {"b": _BOLD, "strong": _BOLD, "li": _ITEM, "br": _LINE, "div": _LINE, "p": _LINE}
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(f" ?[{_ITEM}{_LINE}][ {_ITEM}{_LINE}]*+")


class OpenTable:
    """An open table: where it began, and its cells while it may be one of data."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.plain = True
        self.named = False  # a list of names and values: <dl>
        self.cells: list[list[Cell]] = []
        self._bold: list[list[bool]] = []  # likewise: whether all that it says is
        self._head = False  # in <thead>
        self.open: tuple[bool, int, int, list[str]] | None = None

    def element(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins in it."""
        if tag in _SET_OUT or (tag == "li" and self.named):
            self.plain = False
        elif tag in ("tr", "dt"):
            self.end_cell()
            self.cells.append([])
            self._bold.append([])
        elif tag in ("thead", "tbody", "tfoot"):
            self._head = tag == "thead"
        if tag in _CELLS:
            self.end_cell()
            self.open = tag in ("dt", "th") or self._head, *_spans(attributes), []
        elif self.open and tag in _PARTS:
            self.open[3].append(_PARTS[tag])

    def end(self, tag: str) -> None:
        """An element ends in it."""
        if tag in _CELLS:
            self.end_cell()
        elif tag == "thead":  # no <tbody> need follow
            self.end_cell()
            self._head = False
        elif self.open and _PARTS.get(tag) == _BOLD:
            self.open[3].append(_THIN)

    def end_cell(self) -> None:
        """Take up the open cell, if there is one."""
        if self.open:
            header, columns, spread, texts = self.open
            text = "".join(texts)
            bold = not _NOT_THIN.sub("", text)
            text = " ".join(text.replace(_BOLD, "").replace(_THIN, "").split())
            if not self.cells:
                self.cells.append([])
                self._bold.append([])
            self.cells[-1].append(Cell(_in_a_line(text, header or bold), header, columns, spread))
            self._bold[-1].append(bold and bool(text))
            self.open = None

    def rows(self) -> list[list[Cell]]:
        """The rows that have cells; where none is marked as a header, a first row in bold is.

        So is one that reads like names of columns, over figures.
        """
        filled = [n for n, cells in enumerate(self.cells) if cells]
        rows = [self.cells[n] for n in filled]
        if any(cell.header for cells in rows for cell in cells) or len(rows) < 2:
            return rows
        first, *others = (self._bold[n] for n in filled)
        bold = all(first) and not any(all(bold) for bold in others)
        if bold or _is_over_figures(rows):
            rows[0] = [replace(cell, header=True) for cell in rows[0]]
        return rows


def _is_over_figures(rows: list[list[Cell]]) -> bool:
    """Whether the first row names columns, as another one holds figures or dates all through.

    Names and values, a row each, have that, too: of two columns the values are written alike, and
    the first are no names of fields.
    """
    names, *below = rows
    alike = len(below) > 1 and {len(cells) for cells in rows} == {len(names)}
    spread = any(cell.columns > 1 or cell.rows > 1 for cells in rows for cell in cells)
    if not alike or spread or not names_columns(rows):
        return False
    if any(map(str.isdigit, "".join(cell.text for cell in names))):
        return False
    if len(names) == 2 and any(LABEL.search(cells[0].text) for cells in below):
        return False
    shapes = [{_shape(cells[place].text) for cells in below} for place in range(1, len(names))]
    most = 1 if len(names) == 2 else len(below)
    return any(len(one) <= most and all("9" in shape for shape in one) for one in shapes)


def _shape(text: str) -> str:
    """How a value is written: "9:9" of "10:00", "€ 9" of "€ 2.50"."""
    return _LETTERS.sub("a", _FIGURES.sub("9", text))


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
