"""PowerPoint presentations (.pptx), read with lxml from the archive's parts."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...kg.types import Document, Section
from ..layout import Gap, Layout, cut
from ..tables import Cell, rows
from .archive import Archive, unpacked
from .office.parts import about_file, inside, joined, related, tag_of, targets, value_of
from .text import file_document, title_of

_TITLES = frozenset(["title", "ctrTitle"])
_AROUND = frozenset(["dt", "ftr", "sldNum", "hdr", "sldImg"])  # of every slide


def load(path: Path) -> Iterator[Document]:
    """Read a presentation as one document: a section for each slide, headed by its title.

    Slides come in their order, each with its texts, tables and notes; hidden ones, dates, footers
    and numbers stay out. A slide's number is its page.

    Raises:
        SourceError: as `archive.unpacked`, or it is no presentation.
    """
    with unpacked(path, "a .pptx file") as archive:
        name = related(archive, "", "officeDocument")
        root = archive.xml(name) if name else None
        if root is None or tag_of(root) != "presentation":
            raise archive.error("not a PowerPoint presentation; save it as .pptx")
        about = about_file(archive)
        layout, places = Layout(), targets(archive, name)
        for number, slide in enumerate(_slides(root), 1):
            if (part := places.get(slide, "")) in archive:
                _write(layout, archive, part, number)
    text, sections = cut(layout.text, layout.sections, 0, layout.length)
    title = about.pop("title", "")
    if title in ("", "PowerPoint Presentation"):  # a program's, which names nothing
        title = next((s.heading for s in sections if s.heading), "") or title_of(path)
    if text:
        yield file_document(path, title, text, about, sections, layout.table)


def _slides(root: etree._Element) -> Iterator[str]:
    """Ids of the relations to the slides, in order."""
    for listed in inside(root, "sldIdLst"):
        for slide in inside(listed, "sldId"):
            yield next((v for k, v in slide.items() if k.endswith("}id")), "")


def _write(layout: Layout, archive: Archive, part: str, number: int) -> None:
    root = archive.xml(part)
    if value_of(root, "show") in ("0", "false"):
        return
    shapes = [shape for shape in root.iter() if tag_of(shape) in ("sp", "graphicFrame")]
    titles = [shape for shape in shapes if _kind(shape) in _TITLES]
    start, begun, before = layout.length, layout.heading(), len(layout.sections)
    layout.add(" ".join(_text(shape) for shape in titles))
    layout.end_heading(begun)
    for shape in shapes:
        if shape not in titles:
            _shape(layout, shape)
    notes = related(archive, part, "notesSlide")
    for shape in archive.xml(notes).iter() if notes in archive else ():
        if tag_of(shape) == "sp":
            _shape(layout, shape)
    layout.sections[before:] = [replace(s, page=number) for s in layout.sections[before:]]
    if layout.length > start:  # a slide may lack a title
        first = layout.sections[before] if layout.sections[before:] else Section(start, "", number)
        layout.sections[before : before + 1] = [replace(first, apart=True)]


def _shape(layout: Layout, shape: etree._Element) -> None:
    if _kind(shape) in _AROUND:
        return
    layout.block()
    for table in shape.iter("{*}tbl"):
        _table(layout, table)
    for body in inside(shape, "txBody"):
        for paragraph in inside(body, "p"):
            layout.block(Gap.LINE)
            layout.add(_text(paragraph))
    layout.block()


def _table(layout: Layout, table: etree._Element) -> None:
    grid = [
        [
            Cell(_text(cell), columns=_span(cell, "gridSpan"), rows=_span(cell, "rowSpan"))
            for cell in inside(row, "tc")
            if not value_of(cell, "hMerge") and not value_of(cell, "vMerge")
        ]
        for row in inside(table, "tr")
    ]
    header = any(value_of(p, "firstRow") in ("1", "true") for p in inside(table, "tblPr"))
    if (written := rows(grid, header=header)) is not None:
        layout.rows(written)
        return
    for cells in grid:
        layout.block(Gap.LINE)
        layout.add(", ".join(cell.text for cell in cells if cell.text))


def _span(cell: etree._Element, name: str) -> int:
    said = value_of(cell, name)
    return int(said) if said.isdecimal() and len(said) < 5 else 1


def _kind(shape: etree._Element) -> str:
    """What a placeholder is for: "title", "body", …; "" for other shapes."""
    return next((value_of(place, "type") for place in shape.iter("{*}ph")), "")


def _text(element: etree._Element) -> str:
    """The runs of an element, a blank for each line break and paragraph."""
    pieces = []
    for child in element.iter():
        kind = tag_of(child)
        if kind == "t":
            pieces.append(child.text or "")
        elif kind in ("br", "p", "tab"):
            pieces.append(" ")
    return joined("".join(pieces))
