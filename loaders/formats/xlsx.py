"""Excel workbooks (.xlsx), read with lxml from the archive's parts.

Not with openpyxl: it unpacks every part whatever it grows to, and takes dates for numbers where a
style is damaged.
"""

import io
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.types import Document
from ..layout import Layout, cut
from ..reading import MAX_TEXT, too_long
from ..tables import MAX_CELLS, Cell, rows
from .archive import Archive, unpacked
from .number_format import NumberFormat, built_in, format_of, shown
from .office import about_file, inside, related, tag_of, targets, value_of
from .text import file_document, title_of

MAX_COLUMNS = 16_384  # of a sheet, as Excel has it
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_LATE = 1462  # days by which workbooks of the 1904 system are later


def load(path: Path) -> Iterator[Document]:
    """Read a workbook as one document: a section for each sheet, a line for each row.

    A table's first row of more than one cell names its columns; a sheet may hold several. Formulas
    count as the values that were saved with them, dates are written as 2026-05-01; hidden sheets
    and rows stay out.

    Raises:
        SourceError: as `archive.unpacked`, or it is no workbook.
    """
    with unpacked(path, "an .xlsx file") as archive:
        book = related(archive, "", "officeDocument")
        root = archive.xml(book) if book else None
        if root is None or tag_of(root) != "workbook":
            raise archive.error("not an Excel workbook; save it as .xlsx")
        about = about_file(archive)
        layout, places = Layout(), targets(archive, book)
        reader = _Cells(archive, book, root)
        for sheet in _sheets(root):
            name = places.get(value_of(sheet, "id"), "")
            if name in archive and value_of(sheet, "state") not in ("hidden", "veryHidden"):
                _write(layout, value_of(sheet, "name"), list(reader.rows(name)))
            if layout.length > MAX_TEXT:
                raise archive.error(f"holds {too_long()}; save its sheets as CSV files")
    text, sections = cut(layout.text, layout.sections, 0, layout.length)
    title = about.pop("title", "") or title_of(path)
    if text:
        yield file_document(path, title, text, about, sections, layout.table)


def _sheets(root: etree._Element) -> Iterator[etree._Element]:
    for listed in inside(root, "sheets"):
        yield from inside(listed, "sheet")


def _write(layout: Layout, name: str, sheet: list[tuple[int, list[Cell]]]) -> None:
    """A sheet: its name as a heading, then its tables."""
    if not sheet:
        return
    begun = layout.heading()
    layout.add(name)
    layout.end_heading(begun)
    layout.sections[-1:] = [replace(one, apart=True) for one in layout.sections[-1:]]
    lines = [cells for _, cells in sheet]
    grid: list[list[Cell]] = []
    rows_begun = False  # no longer lines above the table
    for place, (number, cells) in enumerate(sheet):
        apart = place and number != sheet[place - 1][0] + 1
        if apart and rows_begun and _begins_table(grid[-1], lines[place : place + 2]):
            _write_table(layout, grid)
            grid, rows_begun = [], False
        grid.append(cells)
        rows_begun = rows_begun or _several(cells)
    _write_table(layout, grid)


def _begins_table(last: list[Cell], after: list[list[Cell]]) -> bool:
    """Whether what follows an empty row behind a table's is another table.

    It has a title, or names where the last row has figures. Rows that are merely set apart go on in
    the same columns.
    """
    if not _several(after[0]):
        return len(after) > 1 and _several(after[1])
    return any(
        _is_figure(old.text) and new.text and not _is_figure(new.text)
        for old, new in zip(last, after[0], strict=False)
    ) and not any(_is_figure(cell.text) for cell in after[0])


def _several(cells: list[Cell]) -> bool:
    return sum(bool(cell.text) for cell in cells) > 1


def _is_figure(text: str) -> bool:
    return bool(text) and text[0] in "-0123456789" and text[-1] not in ".:"


def _write_table(layout: Layout, grid: list[list[Cell]]) -> None:
    """What stands above a table as lines, then its rows."""
    above = 0
    while above < len(grid) and not _several(grid[above]):
        above += 1
    for cells in grid[:above]:
        _line(layout, cells)
    table = grid[above:]
    for start in range(0, max(len(table) - 1, 1), MAX_CELLS // MAX_COLUMNS):
        part = [*table[:1], *table[1:][start : start + MAX_CELLS // MAX_COLUMNS]]
        written = rows(part, header=True)
        if written is not None:
            layout.rows(written)
            continue
        for cells in part[bool(start) :]:
            _line(layout, cells)


def _line(layout: Layout, cells: list[Cell]) -> None:
    layout.block()
    layout.add(", ".join(cell.text for cell in cells if cell.text))


class _Cells:
    """Reads the cells of sheets."""

    def __init__(self, archive: Archive, book: str, root: etree._Element) -> None:
        self._archive = archive
        self._formats = _formats(archive, related(archive, book, "styles"))
        self._texts = _shared(archive, related(archive, book, "sharedStrings"))
        late = any(value_of(p, "date1904") in ("1", "true") for p in inside(root, "workbookPr"))
        self._late = _LATE if late else 0

    def rows(self, name: str) -> Iterator[tuple[int, list[Cell]]]:
        """Yield the rows that hold something: number, and cells up to the last filled one."""
        merged = self._merged(name)
        last = 0
        for row in self._elements(name, "row"):
            said = value_of(row, "r")
            last = int(said) if said.isdecimal() and len(said) < 8 else last + 1
            if value_of(row, "hidden") in ("1", "true"):
                continue
            texts = dict(merged.get(value_of(row, "r"), {}))
            for place, cell in enumerate(inside(row, "c")):
                found = _REFERENCE.fullmatch(value_of(cell, "r"))
                column = _column(found[1]) if found else place
                if column < MAX_COLUMNS and (text := self._text(cell)):
                    texts[column] = text
            if texts:
                yield last, [Cell(texts.get(column, "")) for column in range(max(texts) + 1)]

    def _merged(self, name: str) -> dict[str, dict[int, str]]:
        """Texts of merged cells in the further rows that they cover, by row and column."""
        areas = [value_of(area, "ref").split(":") for area in self._elements(name, "mergeCell")]
        starts = {area[0] for area in areas if len(area) == 2}
        if not starts:
            return {}
        texts = {
            value_of(cell, "r"): self._text(cell)
            for row in self._elements(name, "row")
            for cell in inside(row, "c")
            if value_of(cell, "r") in starts
        }
        covered: dict[str, dict[int, str]] = {}
        for area in areas:
            ends = [found for end in area if (found := _REFERENCE.fullmatch(end))]
            if len(ends) == 2:
                first, last = int(ends[0][2]), int(ends[1][2])
                for number in range(first + 1, min(last, first + 1000) + 1):
                    if text := texts.get(area[0], ""):
                        covered.setdefault(str(number), {})[_column(ends[0][1])] = text
        return covered

    def _elements(self, name: str, wanted: str) -> Iterator[etree._Element]:
        """Elements of a sheet, one at a time: a large sheet is never in memory as a tree."""
        data = self._archive.read(name)
        if b"<!ENTITY" in data.replace(b"\0", b""):
            raise self._archive.error(f"'{name}' declares entities, as attacks do")
        try:
            for _, element in etree.iterparse(
                io.BytesIO(data), events=("end",), tag="{*}" + wanted, no_network=True,
                resolve_entities=False, remove_comments=True,
            ):  # fmt: skip
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
        except etree.XMLSyntaxError as error:
            raise self._archive.error(f"'{name}' is not valid XML ({error.msg})") from None

    def _text(self, cell: etree._Element) -> str:
        kind = value_of(cell, "t")
        if kind == "inlineStr":
            return _said(cell)
        raw = next(((v.text or "").strip() for v in inside(cell, "v")), "")
        if kind == "s":
            return self._texts[int(raw)] if raw.isdecimal() and int(raw) < len(self._texts) else ""
        if kind == "e":  # an error such as #REF!
            return ""
        if kind == "b":
            return {"1": "yes", "0": "no"}.get(raw, "")
        if kind in ("", "n"):
            return self._number(raw, value_of(cell, "s"))
        return " ".join(raw.split())

    def _number(self, raw: str, style: str) -> str:
        try:
            value = float(raw)
        except ValueError:
            return ""
        form = self._formats.get(style, NumberFormat())
        return shown(value, form, self._late) if math.isfinite(value) else ""


def _said(element: etree._Element) -> str:
    """The text of a cell or shared string, without the reading aid of Japanese ones."""
    pieces = []
    for child in element.iter():
        up = child.getparent()
        if tag_of(child) == "t" and (up is None or tag_of(up) != "rPh"):
            pieces.append(child.text or "")
    return " ".join("".join(pieces).split())


def _shared(archive: Archive, name: str) -> list[str]:
    if name not in archive:
        return []
    return [_said(item) for item in inside(archive.xml(name), "si")]


def _formats(archive: Archive, name: str) -> dict[str, NumberFormat]:
    """Place of a cell format → what numbers in it mean."""
    if name not in archive:
        return {}
    root = archive.xml(name)
    own = {
        value_of(f, "numFmtId"): format_of(value_of(f, "formatCode"))
        for formats in inside(root, "numFmts")
        for f in inside(formats, "numFmt")
    }
    formats = [f for listed in inside(root, "cellXfs") for f in inside(listed, "xf")]
    said = [value_of(f, "numFmtId") for f in formats]
    return {
        str(place): own.get(one) or built_in(int(one) if one.isdecimal() and len(one) < 6 else 0)
        for place, one in enumerate(said)
    }


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1
