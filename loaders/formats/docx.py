"""Word files (.docx), read with lxml from the archive's parts.

Not with python-docx: it passes over content controls, tracked insertions, text boxes and notes,
and unpacks every part, pictures too, whatever it grows to.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.types import Document, Section
from ..layout import Gap, Layout, cut
from .archive import Archive, unpacked
from .text import file_document, titled

_UNREAD = frozenset(
    """commentReference del delText footnoteReference endnoteReference footnoteRef endnoteRef
    instrText moveFrom pPr rPr rt sdtPr sectPr tblPr trPr tcPr Fallback""".split()
)
_PROPERTIES = {
    "creator": "author", "created": "date", "modified": "modified", "subject": "subject",
    "keywords": "keywords", "description": "description", "language": "language",
}  # fmt: skip
_HEADING = re.compile(r"heading [1-9]", re.I)
_BODY_TEXT = "9"  # an outline level that is none


def load(path: Path) -> Iterator[Document]:
    """Read a Word file as one document.

    Headings (by style or outline level) begin sections, list items and table rows have a line
    each, foot- and endnotes follow the text. Headers, footers, comments, deleted text and a table
    of contents stay out. The title is that in the style Title, else the properties', else a
    heading that begins the text; one that begins the text is not repeated.

    Raises:
        SourceError: as `archive.unpacked`, or it is no Word file.
    """
    with unpacked(path, "a .docx file") as archive:
        name = _related(archive, "", "officeDocument")
        if not name:
            raise archive.error("not a Word file: it names no document part; save it as .docx")
        root = archive.xml(name)
        if _tag(root) != "document":
            raise archive.error(f"not a Word file but a {_tag(root)}; save it as .docx")
        writer = _Writer(_styles(archive, name))
        writer.blocks(root)
        for kind in ("footnotes", "endnotes"):
            if notes := _related(archive, name, kind):
                writer.notes(archive.xml(notes))
        about = _about(archive)
    title, text, sections = writer.finished(about.pop("title", ""))
    if text or title:
        title, text, sections = titled(path, title, text or title, sections)
        yield file_document(path, title, text, about, sections)


class _Writer:
    """Writes the blocks of a document part."""

    def __init__(self, styles: dict[str, str]) -> None:
        self._styles = styles
        self._layout = Layout()
        self._title: tuple[int, int] | None = None
        self._first: tuple[int, int] | None = None  # the first heading's place
        self._boxes: list[etree._Element] = []  # text boxes, written after their paragraph
        self._between = Gap.PARAGRAPH

    def blocks(self, element: etree._Element) -> None:
        """The paragraphs and tables in an element, in order."""
        for child in element:
            tag = _tag(child)
            if tag == "p":
                self._paragraph(child)
            elif tag == "tbl":
                self._table(child)
            elif tag not in _UNREAD:
                self.blocks(child)

    def notes(self, root: etree._Element) -> None:
        """The notes of a part, but for the lines that separate them from the page."""
        for note in root:
            if not _value(note, "type"):
                self.blocks(note)

    def finished(self, title: str) -> tuple[str, str, tuple[Section, ...]]:
        """(title, text, sections)."""
        text = self._layout.text
        place = self._title
        if not place and self._first:
            begins = not text[: self._first[0]].strip()
            said = _joined(text[slice(*self._first)])
            place = self._first if begins and title in ("", said) else None
        if place:
            title = _joined(text[slice(*place)])
        start = 0
        if place and not text[: place[0]].strip() and text[place[1] :].strip():
            start = place[1]
        return title, *cut(text, self._layout.sections, start, len(text))

    def _table(self, table: etree._Element) -> None:
        layout, between = self._layout, self._between
        layout.block(between)
        for row in _inside(table, "tr"):
            layout.row()
            for cell in _inside(row, "tc"):
                layout.cell()
                self._between = Gap.LINE
                self.blocks(cell)
                self._between = between
            layout.end_row()
        layout.block(between)

    def _paragraph(self, paragraph: etree._Element) -> None:
        style = self._style(paragraph)
        if style == "contents":
            return
        if style in ("heading", "title"):
            begun = self._layout.heading()
            self._runs(paragraph)
            self._headed(style, self._layout.end_heading(begun))
        elif style == "item":
            self._layout.gap(Gap.LINE)
            self._runs(paragraph)
            self._layout.gap(Gap.LINE)
        else:
            self._layout.gap(self._between)
            self._runs(paragraph)
            self._layout.gap(self._between)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)

    def _headed(self, style: str, place: tuple[int, int]) -> None:
        if place[0] == place[1]:
            return
        if style == "title":
            self._layout.sections.pop()
            self._title = self._title or place
        else:
            self._first = self._first or place

    def _runs(self, element: etree._Element) -> None:
        for child in element:
            tag = _tag(child)
            if write := _PIECES.get(tag):
                write(self._layout, child)
            elif tag == "txbxContent":
                self._boxes.append(child)
            elif tag not in _UNREAD and not (tag == "r" and _vanishes(child)):
                self._runs(child)

    def _style(self, paragraph: etree._Element) -> str:
        """What a paragraph is: "heading", "title", "item", "contents" or ""."""
        found, kind = _direct(paragraph), ""
        for child in _inside(paragraph, "pPr"):
            for style in _inside(child, "pStyle"):
                kind = self._styles.get(_value(style, "val"), "")
        if kind == "title" or not found or (found == "item" and kind):  # a numbered heading
            return kind
        return found.strip()


def _direct(element: etree._Element) -> str:
    """What the properties of a paragraph or style itself make of it; " " if explicitly nothing."""
    for properties in _inside(element, "pPr"):
        for level in _inside(properties, "outlineLvl"):
            return " " if _value(level, "val") == _BODY_TEXT else "heading"
        for _ in _inside(properties, "numPr"):
            return "item"
    return ""


def _styles(archive: Archive, document: str) -> dict[str, str]:
    """Style id → what paragraphs of that style are, also by the style it is based on."""
    name = _related(archive, document, "styles")
    if not name:
        return {}
    kinds, based = dict[str, str](), dict[str, str]()
    for style in _inside(archive.xml(name), "style"):
        identity = _value(style, "styleId")
        called = next((_value(child, "val") for child in _inside(style, "name")), "")
        kinds[identity] = _named(called) or _direct(style)
        based[identity] = next((_value(child, "val") for child in _inside(style, "basedOn")), "")
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


def _related(archive: Archive, part: str, kind: str) -> str:
    """The part that a part ("" for the archive) is related to in this way, "" without one."""
    folder, _, name = part.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels".lstrip("/")
    if relations not in archive:
        return ""
    for relation in archive.xml(relations):
        outside = relation.get("TargetMode") == "External"
        if not outside and (relation.get("Type") or "").rpartition("/")[2] == kind:
            return archive.place(relation.get("Target") or "", beside=part)
    return ""


def _about(archive: Archive) -> dict[str, str]:
    """Title and metadata of the file's properties."""
    name = _related(archive, "", "core-properties")
    if not name or name not in archive:
        return {}
    said = {_tag(child): _joined(child.text or "") for child in archive.xml(name)}
    known = {"title": said.get("title", "")}
    known |= {key: said.get(name, "") for name, key in _PROPERTIES.items()}
    return {key: value for key, value in known.items() if value}


def _tag(element: etree._Element) -> str:
    """Its name, whichever of the two namespaces (transitional, strict) it is in."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _inside(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    return (child for child in element if _tag(child) == tag)


def _value(element: etree._Element, attribute: str) -> str:
    values = (v for k, v in element.items() if k.rpartition("}")[2] == attribute)
    return next(values, "")


def _vanishes(run: etree._Element) -> bool:
    """Whether it is hidden text."""
    return any(
        _value(vanish, "val") not in ("0", "false", "off")
        for properties in _inside(run, "rPr")
        for vanish in _inside(properties, "vanish")
    )


def _joined(text: str) -> str:
    return " ".join(text.split())


def _break(layout: Layout, element: etree._Element) -> None:
    page = _value(element, "type") == "page"
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
