"""Sheets of OpenDocument workbooks."""

import math
import re
from collections.abc import Iterator

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ...layout import Layout
from ...reading import MAX_TEXT, too_long
from ...tables import Cell
from ..archive import Archive
from .number_format import NumberFormat, shown
from .odf_blocks import count, is_shown, table_rows
from .odf_styles import Styles
from .parts import inside, joined, tag_of, value_of
from .sheets import MAX_COLUMNS, write

_MOST_REPEATED = 1000  # rows with the same text, and cells beside each other
_TRUTH = {"of:=TRUE()": "yes", "of:=FALSE()": "no"}  # as those of Excel files are saved
_DURATION = re.compile(r"(-?)PT(\d{1,6})H(\d{1,2})M")


def write_sheets(layout: Layout, styles: Styles, body: etree._Element, archive: Archive) -> None:
    """Write each sheet that is shown: its name as a heading, then its tables."""
    for sheet in inside(body, "table"):
        if not styles.hides(value_of(sheet, "style-name")):
            write(layout, value_of(sheet, "name"), list(_rows(sheet)))
        if layout.length > MAX_TEXT:
            raise archive.error(f"holds {too_long()}; save its sheets as CSV files")


def _rows(sheet: etree._Element) -> Iterator[tuple[int, list[Cell]]]:
    """Yield the rows that hold something: number, and cells up to the last filled one."""
    number, covering = 0, dict[int, tuple[str, int]]()  # by column: text from above, rows left
    for row, _ in table_rows(sheet):
        times = count(row, "number-rows-repeated")
        texts = {column: text for column, (text, _) in covering.items()}
        covering = {c: (text, left - 1) for c, (text, left) in covering.items() if left > 1}
        column = 0
        for cell in row:
            text = _text(cell) if tag_of(cell) == "table-cell" else ""
            repeated = count(cell, "number-columns-repeated")
            if text:
                for place in range(
                    column, min(column + min(repeated, _MOST_REPEATED), MAX_COLUMNS)
                ):
                    texts[place] = text
                if (spanned := count(cell, "number-rows-spanned")) > 1:
                    covering[column] = text, min(spanned, _MOST_REPEATED) - 1
            column += repeated
        if texts and is_shown(row):
            cells = [Cell(texts.get(place, "")) for place in range(max(texts) + 1)]
            for further in range(min(times, _MOST_REPEATED)):
                yield number + 1 + further, cells
        number += times


def _text(cell: etree._Element) -> str:
    """What a cell shows, numbers as those of other workbooks (`number_format.shown`)."""
    kinds = [v for k, v in cell.items() if k.rpartition("}")[2] == "value-type"]
    kind = "error" if "error" in kinds else "".join(kinds[:1])  # LibreOffice says that beside
    if kind == "error":
        return ""
    if kind == "date":
        return value_of(cell, "date-value").removesuffix("T00:00:00").replace("T", " ")[:16]
    if kind == "boolean":
        return {"true": "yes", "false": "no"}.get(value_of(cell, "boolean-value"), "")
    if kind == "time" and (found := _DURATION.match(value_of(cell, "time-value"))):
        return f"{found[1]}{int(found[2])}:{found[3]:0>2}"
    if said := _TRUTH.get(value_of(cell, "formula")):
        return said
    if kind in ("float", "percentage", "currency"):
        return _number(cell, kind)
    return joined(" ".join(_said(paragraph) for paragraph in inside(cell, "p")))


def _number(cell: etree._Element, kind: str) -> str:
    try:
        value = float(value_of(cell, "value"))
    except ValueError:
        return ""
    form = NumberFormat("percent" if kind == "percentage" else "", value_of(cell, "currency"))
    return shown(value, form) if math.isfinite(value) else ""


def _said(element: etree._Element) -> str:
    """The text of a paragraph of a cell."""
    pieces = [element.text or ""]
    for child in element:
        tag = tag_of(child)
        if tag in ("s", "tab", "line-break"):
            pieces.append(" ")
        elif tag not in ("annotation", "ruby-text"):
            pieces.append(_said(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
