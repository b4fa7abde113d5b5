"""Ruled tables of a PDF's pages, put in the place that their words have in a page's text."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self, SupportsFloat

import pdfplumber
from pdfplumber.page import Page as Drawn
from pdfplumber.pdf import PDF
from pdfplumber.table import Table

from ...tables import Cell, Row, unmarked
from .pages import letters, plain

DRAWS = (b"m", b"l", b"re")  # from here, a line to here, a box
MIN_LINES = 3  # across, and down, where a page draws a table
MAX_LINES = 5_000  # on a page: more are a drawing
SHORTEST = 4  # points
MAX_TABLES = 50  # of a page: more are a drawing
MAX_CELLS = 2_000  # of a table
_FILLED = 0.6  # of a table's cells at least
_SAME_PLACE = 3  # points by which the columns of a table that goes on may differ
_EDGE = 0.2  # of a page's height, at its end and beginning: where a table may go on
_TEXT = {"x_tolerance_ratio": 0.15}  # of a letter's size: a wider gap parts words

Point = tuple[float, float]
Matrix = Sequence[float]  # six numbers: from a drawing's coordinates to the page's


@dataclass(frozen=True, slots=True)
class _Found:
    """A table: its cells, its columns' left edges, and where it lies, in shares of the height."""

    cells: list[list[str]]
    columns: tuple[float, ...]
    top: float
    bottom: float


class Ruling:
    """Lines that a page draws across and down, as far as they may be a table's."""

    def __init__(self) -> None:
        self._across: set[int] = set()  # how high they lie
        self._down: list[tuple[float, float, int]] = []  # lower and upper end, place across
        self._lines = 0
        self._here = (0.0, 0.0)

    def draw(self, operator: bytes, operands: Sequence[SupportsFloat], matrix: Matrix) -> None:
        """Take up one of DRAWS."""
        if self._lines > MAX_LINES:
            return
        with contextlib.suppress(ArithmeticError, LookupError, TypeError, ValueError):  # damaged
            x, y, *size = map(float, operands)
            if operator == b"re":
                wide, high = size
                corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)]
                for begin, end in pairwise(corners):
                    self._line(begin, end, matrix)
            elif operator == b"l":
                self._line(self._here, (x, y), matrix)
            self._here = (x, y)

    def _line(self, begin: Point, end: Point, matrix: Matrix) -> None:
        self._lines += 1
        a, b, c, d, e, f = matrix
        (x, y), (to_x, to_y) = ((a * x + c * y + e, b * x + d * y + f) for x, y in (begin, end))
        if abs(to_y - y) < 1 and abs(to_x - x) > SHORTEST:
            self._across.add(round(y))
        elif abs(to_x - x) < 1 and abs(to_y - y) > SHORTEST:
            self._down.append((min(y, to_y), max(y, to_y), round(x)))

    @property
    def may_be_tables(self) -> bool:
        """Whether there are enough of both, and not so many that they are a drawing."""
        few = self._lines <= MAX_LINES and len(self._across) >= MIN_LINES
        return few and self._abreast() >= MIN_LINES

    def _abreast(self) -> int:
        """How many lines down stand beside each other at most: a box has two, a table more."""
        ends = [(low + 1, 1, x) for low, _, x in self._down]
        ends += [(high - 1, -1, x) for _, high, x in self._down]
        beside, most = Counter[int](), 0
        for _, change, x in sorted(ends):
            beside[x] += change
            if not beside[x]:
                del beside[x]
            most = max(most, len(beside))
        return most


class Ruled:
    """Finds the ruled tables of a file's pages, which are asked for in order."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: PDF | None = None
        self._last: tuple[int, _Found] | None = None  # page and table
        self._names: list[str] = []  # its first row

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def within(self, number: int, text: str, drawn: Ruling) -> tuple[str, list[Row]]:
        """Write the rows of a page's tables in the place of their cells: (text, rows).

        A table whose words do not stand together in the text is left as it is. One that begins a
        page in the columns of the one that ended the page before has its names of columns.

        Args:
            number: of the page, from 1.
            text: of the page.
            drawn: on it.
        """
        if not drawn.may_be_tables:
            return text, []
        try:
            return self._within(number, text)
        except Exception:  # noqa: BLE001 - a damaged file makes pdfplumber raise anything
            return text, []

    def _within(self, number: int, text: str) -> tuple[str, list[Row]]:
        if self._file is None:
            self._file = pdfplumber.open(self._path)
        page, text = self._file.pages[number - 1], letters(text)
        written: list[Row] = []
        for found in _tables(page):
            cells = [self._names, *found.cells] if self._goes_on(number, found) else found.cells
            rows = unmarked([[Cell(text) for text in line] for line in cells])
            place = _place(text, found.cells) if rows else None
            if rows and place:
                start, end = place
                lines = "\n".join(row.text for row in rows)
                text = f"{text[:start].rstrip()}\n{lines}\n{text[end:].lstrip()}"
                written += rows
            self._last, self._names = (number, found), cells[0]
        page.close()
        return text, written

    def _goes_on(self, number: int, found: _Found) -> bool:
        """Whether a table is the rest of that at the foot of the page before, without its names."""
        if self._last is None:
            return False
        page, last = self._last
        same = len(last.columns) == len(found.columns) and all(
            abs(a - b) <= _SAME_PLACE for a, b in zip(last.columns, found.columns, strict=True)
        )
        further = page == number - 1 and last.bottom > 1 - _EDGE and found.top < _EDGE
        return same and further and found.cells[0] != self._names


def _tables(page: Drawn) -> Iterator[_Found]:
    found = page.find_tables()
    for table in found if len(found) <= MAX_TABLES else ():
        if len(table.cells) > MAX_CELLS:
            continue
        cells = [[plain(text or "") for text in line] for line in table.extract(**_TEXT)]
        cells = [line for line in cells if any(line)]
        width = max(map(len, cells), default=0)
        filled = sum(map(bool, (text for line in cells for text in line)))
        if width > 1 and cells and filled >= _FILLED * width * len(cells):
            top, bottom = table.bbox[1] / page.height, table.bbox[3] / page.height
            yield _Found(cells, _columns(table), float(top), float(bottom))


def _columns(table: Table) -> tuple[float, ...]:
    return tuple(sorted({round(float(cell[0])) for cell in table.cells}))


def _place(text: str, cells: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Where the letters of all cells, and no others, stand together in a text, in any order."""
    seen = [place for place, letter in enumerate(text) if not letter.isspace()]
    lacking = Counter("".join("".join(line) for line in cells).replace(" ", ""))
    size, unequal = lacking.total(), len(lacking)

    def change(letter: str, by: int) -> int:
        """Count a letter of the text; by how many more letters the counts are unequal then."""
        before = lacking[letter]
        lacking[letter] += by
        return (before + by != 0) - (before != 0)

    for place, at in enumerate(seen):
        unequal += change(text[at], -1)
        if place >= size:
            unequal += change(text[seen[place - size]], 1)
        if size and place >= size - 1 and not unequal:
            start, end = seen[place - size + 1], at + 1
            if not (text[start - 1 : start] + text[end : end + 1]).strip():
                return start, end
    return None
