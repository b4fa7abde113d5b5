"""Slides of OpenDocument presentations."""

from collections.abc import Iterator
from dataclasses import replace

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ....kg.types import Section
from ...layout import Layout
from .odf_blocks import Writer
from .odf_styles import Styles
from .parts import inside, joined, tag_of, value_of

_AROUND = frozenset(["date-time", "footer", "header", "page-number", "page"])  # of every slide


def write_slides(layout: Layout, styles: Styles, body: etree._Element) -> None:
    """Write each slide that is shown: its title as a heading, its texts, tables and notes."""
    for number, slide in enumerate(inside(body, "page"), 1):
        if not styles.hides(value_of(slide, "style-name")):
            _write(layout, styles, slide, number)


def _write(layout: Layout, styles: Styles, slide: etree._Element, number: int) -> None:
    shapes = list(_shapes(slide))
    titles = [shape for shape in shapes if value_of(shape, "class") == "title"]
    start, begun, before = layout.length, layout.heading(), len(layout.sections)
    layout.add(" ".join(_said(styles, shape) for shape in titles))
    layout.end_heading(begun)
    writer = Writer(styles, layout)
    for shape in shapes:
        if shape not in titles and value_of(shape, "class") not in _AROUND:
            layout.block()
            writer.blocks(shape)
    writer.notes()
    layout.block()
    layout.sections[before:] = [replace(s, page=number) for s in layout.sections[before:]]
    if layout.length > start:  # a slide may lack a title
        first = layout.sections[before] if layout.sections[before:] else Section(start, "", number)
        layout.sections[before : before + 1] = [replace(first, apart=True)]


def _shapes(slide: etree._Element) -> Iterator[etree._Element]:
    """Yield the shapes of a slide, then those of its notes."""
    for child in slide:
        if tag_of(child) in ("g", "notes"):
            yield from _shapes(child)
        else:
            yield child


def _said(styles: Styles, shape: etree._Element) -> str:
    layout = Layout()
    Writer(styles, layout).blocks(shape)
    return joined(layout.text)
