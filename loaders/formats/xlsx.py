"""Excel workbooks (.xlsx), read with lxml from the archive's parts.

Not with openpyxl: it unpacks every part whatever it grows to, and takes dates for numbers where a
style is damaged.
"""

import io
import math
import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.types import Document
from ..layout import Layout, cut
from ..reading import MAX_TEXT, too_long
from ..tables import Cell
from .archive import Archive, unpacked
from .office.number_format import NumberFormat, built_in, format_of, shown
from .office.parts import about_file, inside, related, tag_of, targets, value_of
from .office.sheets import MAX_COLUMNS, write
from .text import file_document, title_of

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
                write(layout, value_of(sheet, "name"), list(reader.rows(name)))
            if layout.length > MAX_TEXT:
                raise archive.error(f"holds {too_long()}; save its sheets as CSV files")
    text, sections = cut(layout.text, layout.sections, 0, layout.length)
    title = about.pop("title", "") or title_of(path)
    if text:
        yield file_document(path, title, text, about, sections, layout.table)


def _sheets(root: etree._Element) -> Iterator[etree._Element]:
    for listed in inside(root, "sheets"):
        yield from inside(listed, "sheet")


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
