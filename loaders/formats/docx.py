"""Word files (.docx), read with lxml from the archive's parts.

Not with python-docx: it passes over content controls, tracked insertions, text boxes and notes,
and unpacks every part, pictures too, whatever it grows to.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.types import Document, Section
from ..layout import Gap, Layout, Mark, cut
from ..outline import Item, described, fields, outlined
from ..tables import Cell, Row, unmarked
from .archive import Archive, unpacked
from .office.parts import about_file, inside, joined, related, tag_of, value_of
from .text import file_document, titled

_UNREAD = frozenset(
    """commentReference del delText footnoteReference endnoteReference footnoteRef endnoteRef
    instrText moveFrom pPr rPr rt sdtPr sectPr tblPr trPr tcPr Fallback""".split()
)
_HEADING = re.compile(r"heading [1-9]", re.I)
_BODY_TEXT = "9"  # an outline level that is none


def load(path: Path) -> Iterator[Document]:
    """Read a Word file as one document.

    Headings (by style or outline level) begin sections, list items and table rows have a line
    each, items over fields are rows, foot- and endnotes follow the text. Headers, footers,
    comments, deleted text and a table of contents stay out. The title is that in the style Title,
    else the properties', else a heading that begins the text; one that begins the text is not
    repeated.

    Raises:
        SourceError: as `archive.unpacked`, or it is no Word file.
    """
    with unpacked(path, "a .docx file") as archive:
        name = related(archive, "", "officeDocument")
        if not name:
            raise archive.error("not a Word file: it names no document part; save it as .docx")
        root = archive.xml(name)
        if tag_of(root) != "document":
            raise archive.error(f"not a Word file but a {tag_of(root)}; save it as .docx")
        writer = _Writer(_styles(archive, name))
        writer.blocks(root)
        for kind in ("footnotes", "endnotes"):
            if notes := related(archive, name, kind):
                writer.notes(archive.xml(notes))
        about = about_file(archive)
    title, text, sections = writer.finished(about.pop("title", ""))
    if text or title:
        title, text, sections = titled(path, title, text or title, sections)
        yield file_document(path, title, text, about, sections, writer.table)


class _Writer:
    """Writes the blocks of a document part."""

    def __init__(self, styles: dict[str, str], layout: Layout | None = None) -> None:
        self._styles = styles
        self._layout = layout or Layout()
        self._title: tuple[int, int] | None = None
        self._first: tuple[int, int] | None = None  # the first heading's place
        self._boxes: list[etree._Element] = []  # text boxes, written after their paragraph
        self._between = Gap.PARAGRAPH
        self._list: Mark | None = None  # where the list began that may go on
        self._items: list[Item] = []
        self._headed_to = -1  # where the last heading ends

    def blocks(self, element: etree._Element) -> None:
        """The paragraphs and tables in an element, in order."""
        for child in element:
            tag = tag_of(child)
            if tag == "p":
                self._paragraph(child)
            elif tag == "tbl":
                self._table(child)
            elif tag not in _UNREAD:
                self.blocks(child)

    def notes(self, root: etree._Element) -> None:
        """The notes of a part, but for the lines that separate them from the page."""
        for note in root:
            if not value_of(note, "type"):
                self.blocks(note)

    def finished(self, title: str) -> tuple[str, str, tuple[Section, ...]]:
        """(title, text, sections)."""
        self._end_list()
        text = self._layout.text
        place = self._title
        if not place and self._first:
            begins = not text[: self._first[0]].strip()
            said = joined(text[slice(*self._first)])
            place = self._first if begins and title in ("", said) else None
        if place:
            title = joined(text[slice(*place)])
        start = 0
        if place and not text[: place[0]].strip() and text[place[1] :].strip():
            start = place[1]
        return title, *cut(text, self._layout.sections, start, len(text))

    def _table(self, table: etree._Element) -> None:
        layout, between = self._layout, self._between
        self._end_list()
        layout.block(between)
        above = layout.sections[-1].heading if layout.sections else ""
        if (written := _data(table, above)) is not None:
            layout.rows(written)
            return
        for row in inside(table, "tr"):
            layout.row()
            for cell in inside(row, "tc"):
                layout.cell()
                self._between = Gap.LINE
                self.blocks(cell)
                self._between = between
            layout.end_row()
        layout.block(between)

    @property
    def table(self) -> list[Row]:
        """The rows of its tables."""
        return self._layout.table

    def _paragraph(self, paragraph: etree._Element) -> None:
        style = self._style(paragraph)
        if style == "contents":
            return
        if style != "item":
            self._end_list()
        if style in ("heading", "title"):
            begun = self._layout.heading()
            self._runs(paragraph)
            self._headed(style, self._layout.end_heading(begun))
        elif style == "item":
            self._item(paragraph)
        else:
            self._layout.gap(self._between)
            self._runs(paragraph)
            self._layout.gap(self._between)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)

    def _item(self, paragraph: etree._Element) -> None:
        """Write a list's item as a line; what the list says is known at its end."""
        begins = self._layout.mark()
        self._layout.gap(Gap.LINE)
        mark = self._layout.mark()
        self._runs(paragraph)
        if self._between is Gap.PARAGRAPH:  # no cell
            self._list = self._list or begins
            self._items.append(Item(_depth(paragraph), self._layout.since(mark)))
        self._layout.gap(Gap.LINE)

    def _end_list(self) -> None:
        """Write rows of a list in the place of its items, where they are fields."""
        begun, items = self._list, [item for item in self._items if item.text]
        self._list, self._items = None, []
        if begun is None or any("\n" in item.text for item in items):
            return
        texts = [item.text for item in items]
        known = fields(texts)
        written = outlined(items, known)
        if begun[1] == self._headed_to and not any(item.depth for item in items):
            written = written or described(texts, self._layout.sections[-1].heading, known)
        if written is not None:
            self._layout.back(begun)
            self._layout.rows(written)

    def _headed(self, style: str, place: tuple[int, int]) -> None:
        if place[0] == place[1]:
            return
        if style == "title":
            self._layout.sections.pop()
            self._title = self._title or place
        else:
            self._first = self._first or place
            self._headed_to = place[1]

    def _runs(self, element: etree._Element) -> None:
        for child in element:
            tag = tag_of(child)
            if write := _PIECES.get(tag):
                write(self._layout, child)
            elif tag == "txbxContent":
                self._boxes.append(child)
            elif tag not in _UNREAD and not (tag == "r" and _vanishes(child)):
                self._runs(child)

    def _style(self, paragraph: etree._Element) -> str:
        """What a paragraph is: "heading", "title", "item", "contents" or ""."""
        found, kind = _direct(paragraph), ""
        for child in inside(paragraph, "pPr"):
            for style in inside(child, "pStyle"):
                kind = self._styles.get(value_of(style, "val"), "")
        if kind == "title" or not found or (found == "item" and kind):  # a numbered heading
            return kind
        return found.strip()


def _data(table: etree._Element, about: str) -> list[Row] | None:
    """The rows of a table of data; None for one that sets text out, or holds another."""
    if any(tag_of(inner) in ("tbl", "txbxContent") for cell in table for inner in cell.iter()):
        return None
    grid: list[list[Cell]] = []
    begun: dict[int, tuple[int, int]] = {}  # by column: where its last cell stands in the grid
    for row in inside(table, "tr"):
        header, column = _is_header(row), 0
        grid.append([])
        for element in inside(row, "tc"):
            above = begun.get(column) if _goes_on(element) else None
            if above:
                line, place = above
                cell = grid[line][place] = replace(
                    grid[line][place], rows=grid[line][place].rows + 1
                )
            else:
                begun[column] = len(grid) - 1, len(grid[-1])
                cell = _cell(element, header)
                grid[-1].append(cell)
            column += cell.columns
    return unmarked(grid, about)


def _goes_on(cell: etree._Element) -> bool:
    """Whether a cell is the rest of the one above it."""
    merged = (m for p in inside(cell, "tcPr") for m in inside(p, "vMerge"))
    return any(value_of(merge, "val") != "restart" for merge in merged)


def _cell(cell: etree._Element, header: bool) -> Cell:
    layout, span = Layout(), 1
    for properties in inside(cell, "tcPr"):
        span = next((_number(value_of(s, "val")) for s in inside(properties, "gridSpan")), 1)
    writer = _Writer({}, layout)
    writer.blocks(cell)
    return Cell(layout.text, header, span)


def _number(said: str) -> int:
    return int(said) if said.isdecimal() and len(said) < 5 else 1


def _is_header(row: etree._Element) -> bool:
    return any(True for p in inside(row, "trPr") for _ in inside(p, "tblHeader"))


def _direct(element: etree._Element) -> str:
    """What the properties of a paragraph or style itself make of it; " " if explicitly nothing."""
    for properties in inside(element, "pPr"):
        for level in inside(properties, "outlineLvl"):
            return " " if value_of(level, "val") == _BODY_TEXT else "heading"
        for _ in inside(properties, "numPr"):
            return "item"
    return ""


def _depth(item: etree._Element) -> int:
    """In how many lists an item's list stands: by itself, or by its style, "ListBullet2"."""
    for properties in inside(item, "pPr"):
        for numbering in inside(properties, "numPr"):
            for level in inside(numbering, "ilvl"):
                return _number(value_of(level, "val"))
        for style in inside(properties, "pStyle"):
            if found := re.search(r"[2-5]$", value_of(style, "val")):
                return int(found[0]) - 1
    return 0


def _styles(archive: Archive, document: str) -> dict[str, str]:
    """Style id → what paragraphs of that style are, also by the style it is based on."""
    name = related(archive, document, "styles")
    if not name:
        return {}
    kinds, based = dict[str, str](), dict[str, str]()
    for style in inside(archive.xml(name), "style"):
        identity = value_of(style, "styleId")
        called = next((value_of(child, "val") for child in inside(style, "name")), "")
        kinds[identity] = _named(called) or _direct(style)
        based[identity] = next((value_of(child, "val") for child in inside(style, "basedOn")), "")
    return {identity: _inherited(identity, kinds, based) for identity in kinds}


def _named(style: str) -> str:
    """What a built-in style is; Word writes their names in English in every language."""
    name = style.lower()
    if name == "title":
        return "title"
    if name.startswith("toc "):
        return "contents"
    return "heading" if _HEADING.fullmatch(name) else ""


def _inherited(identity: str, kinds: dict[str, str], based: dict[str, str]) -> str:
    for _ in range(10):  # Word's own limit; also ends a circle
        if kind := kinds.get(identity, ""):
            return kind.strip()
        identity = based.get(identity, "")
    return ""


def _vanishes(run: etree._Element) -> bool:
    """Whether it is hidden text."""
    return any(
        value_of(vanish, "val") not in ("0", "false", "off")
        for properties in inside(run, "rPr")
        for vanish in inside(properties, "vanish")
    )


def _break(layout: Layout, element: etree._Element) -> None:
    page = value_of(element, "type") == "page"
    layout.gap(Gap.PARAGRAPH if page else Gap.LINE)


_PIECES: dict[str, Callable[[Layout, etree._Element], None]] = {
    "t": lambda layout, element: layout.add(element.text or ""),
    "tab": lambda layout, element: layout.gap(Gap.SPACE),
    "ptab": lambda layout, element: layout.gap(Gap.SPACE),
    "noBreakHyphen": lambda layout, element: layout.add("-"),
    "docPr": lambda layout, element: layout.add(f" {element.get('descr', '')} "),
    "br": _break,
    "cr": _break,
}
