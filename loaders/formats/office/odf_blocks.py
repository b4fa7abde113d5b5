"""Paragraphs, lists and tables of OpenDocument files, written as plain text."""

from collections.abc import Iterator

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ....kg.types import Section
from ...layout import Gap, Layout, cut
from ...outline import Item, described, fields, outlined
from ...tables import Cell, Row, rows, unmarked
from .odf_styles import Styles
from .parts import inside, joined, tag_of, value_of

_UNREAD = frozenset(
    """alphabetical-index annotation date-time-decl footer footer-decl forms illustration-index
    note-citation object object-index ruby-text script sequence-decls table-index table-of-content
    tracked-changes user-index variable-decls""".split()
)
_LINE_BREAKS = {"s": Gap.SPACE, "tab": Gap.SPACE, "line-break": Gap.LINE}
_TEXT_BOXES = frozenset(["text-box", "custom-shape"])
_GROUPS = frozenset(["table-header-rows", "table-rows", "table-row-group"])
_DIGITS = 7  # of a count of rows or columns that is believed


class Writer:
    """Writes the blocks of a text, a slide or a cell."""

    def __init__(self, styles: Styles, layout: Layout) -> None:
        self._styles, self._layout = styles, layout
        self._title: tuple[int, int] | None = None
        self._boxes: list[etree._Element] = []  # text boxes, written after their paragraph
        self._notes: list[etree._Element] = []
        self._between = Gap.PARAGRAPH
        self._headed_to = -1  # where the last heading ends

    def blocks(self, element: etree._Element) -> None:
        """Write the paragraphs, lists and tables in an element, in order."""
        for child in element:
            tag = tag_of(child)
            if tag in ("p", "h"):
                self._paragraph(child, tag)
            elif tag == "table":
                self._table(child)
            elif tag == "list" and self._between is Gap.PARAGRAPH:
                self._list(child)
            elif tag == "list-item":
                self._layout.item()
                self._item(child)
            elif tag not in _UNREAD:
                self.blocks(child)

    def notes(self) -> None:
        """Write the foot- and endnotes of what was written."""
        while self._notes:
            notes, self._notes = self._notes, []
            for note in notes:
                self.blocks(note)

    def finished(self, title: str) -> tuple[str, str, tuple[Section, ...]]:
        """(title, text, sections): the title is that in the style Title, else the one given."""
        text, start = self._layout.text, 0
        if self._title:
            title = joined(text[slice(*self._title)])
            if not text[: self._title[0]].strip() and text[self._title[1] :].strip():
                start = self._title[1]
        return title, *cut(text, self._layout.sections, start, len(text))

    def _list(self, element: etree._Element) -> None:
        """Write the items of an outermost list, a line each, or a row where one is over fields."""
        layout, mark = self._layout, self._layout.mark()
        self._item(element)
        items = list(self._items(element))
        texts = [item.text for item in items]
        if not all(texts) or any("\n" in text for text in texts):
            return
        written, about = outlined(items, fields(texts)), layout.sections[-1:]
        if mark[1] == self._headed_to and about and not any(item.depth for item in items):
            written = written or described(texts, about[0].heading, fields(texts))
        if written is not None:
            layout.back(mark)
            layout.rows(written)

    def _items(self, element: etree._Element, depth: int = 0) -> Iterator[Item]:
        """The items of a list and of those in it, "" for one that is not a single paragraph."""
        for item in inside(element, "list-item"):
            said = [child for child in item if tag_of(child) != "list"]
            writer = Writer(self._styles, Layout())
            if len(said) == 1 and tag_of(said[0]) == "p":
                writer._runs(said[0])
            yield Item(depth, "" if writer._notes or writer._boxes else writer._layout.text)
            for inner in inside(item, "list"):
                yield from self._items(inner, depth + 1)

    def _item(self, item: etree._Element) -> None:
        before, self._between = self._between, Gap.LINE
        self.blocks(item)
        self._between = before
        self._layout.block(Gap.LINE)

    def _paragraph(self, paragraph: etree._Element, tag: str) -> None:
        layout, style = self._layout, value_of(paragraph, "style-name")
        if self._styles.hides(style):
            return
        if tag == "h":
            begun = layout.heading()
            self._runs(paragraph)
            self._headed_to = layout.end_heading(begun)[1]
        else:
            layout.gap(self._between)
            before = layout.length
            self._runs(paragraph)
            if not self._title and layout.length > before and self._styles.is_title(style):
                self._title = before, layout.length
            layout.gap(self._between)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)

    def _runs(self, element: etree._Element) -> None:
        """Running text: what stands in an element and between its children."""
        layout = self._layout
        layout.add(element.text or "")
        for child in element:
            tag = tag_of(child)
            if tag in _LINE_BREAKS:
                layout.gap(_LINE_BREAKS[tag])
            elif tag == "note":
                self._notes += inside(child, "note-body")
            elif tag in _TEXT_BOXES:
                self._boxes.append(child)
            elif tag in ("title", "desc"):  # of a picture
                layout.add(f" {child.text or ''} ")
            elif tag not in _UNREAD and not self._styles.hides(value_of(child, "style-name")):
                self._runs(child)
            layout.add(child.tail or "")

    def _table(self, table: etree._Element) -> None:
        layout = self._layout
        layout.block(self._between)
        lines = [(row, header) for row, header in table_rows(table) if is_shown(row)]
        if (written := self._data(lines)) is not None:
            layout.rows(written)
            return
        for line, _ in lines:
            layout.row()
            for cell in inside(line, "table-cell"):
                layout.cell()
                self._item(cell)
            layout.end_row()
        layout.block(self._between)

    def _data(self, lines: list[tuple[etree._Element, bool]]) -> list[Row] | None:
        """The rows of a table of data; None for one that sets text out, or holds another."""
        if any(tag_of(inner) == "table" for line, _ in lines for inner in line.iter()):
            return None
        about = self._layout.sections[-1].heading if self._layout.sections else ""
        writer = Writer(self._styles, Layout())
        cell = writer._cell
        grid = [[cell(c, named) for c in inside(line, "table-cell")] for line, named in lines]
        if any(named for _, named in lines):
            written = rows(grid, about=about)
        else:
            written = unmarked(grid, about) if grid else None
        if written is not None:
            self._notes += writer._notes
        return written

    def _cell(self, cell: etree._Element, header: bool) -> Cell:
        self._layout, self._between = Layout(), Gap.LINE
        self.blocks(cell)
        spans = (count(cell, f"number-{kind}-spanned") for kind in ("columns", "rows"))
        return Cell(self._layout.text, header, *spans)


def table_rows(
    element: etree._Element, header: bool = False
) -> Iterator[tuple[etree._Element, bool]]:
    """Yield the rows of a table, which may be grouped, and whether they name its columns."""
    for child in element:
        tag = tag_of(child)
        if tag == "table-row":
            yield child, header
        elif tag in _GROUPS:
            yield from table_rows(child, header or tag == "table-header-rows")


def is_shown(row: etree._Element) -> bool:
    """Whether a row is neither hidden nor filtered out."""
    return value_of(row, "visibility") in ("", "visible")


def count(element: etree._Element, name: str) -> int:
    """Read how often something stands, or how far it reaches; 1 where that is no number."""
    said = value_of(element, name)
    return max(int(said), 1) if said.isdecimal() and len(said) <= _DIGITS else 1
