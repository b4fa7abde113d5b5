"""Blocks of a document written as plain text, as every format with markup writes them.

A blank line between paragraphs, a line for each list item and table row, ", " between a row's
cells, four blanks before a line of code. To the splitter and the dependency parse a line end ends a
sentence.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import IntEnum

from ..kg.text.titles import unnumbered
from ..kg.types import Section
from .tables import Row

CODE = "    "  # begins each line of code, as in Markdown
_LINE = re.compile(r"\n(?!\n)")
MAX_HEADING = 200  # characters; a longer one is cut: text by mistake, not a name for a place


class Gap(IntEnum):
    """The space between two pieces of text; the stronger of two wins."""

    NONE = 0
    SPACE = 1
    CELL = 2
    LINE = 3
    PARAGRAPH = 4


_BETWEEN = ("", " ", ", ", "\n", "\n\n")

Mark = tuple[int, int, int, int, Gap]


class Layout:
    """Writes text piece by piece; gaps are written with the text that follows them."""

    def __init__(self) -> None:
        self.length = 0  # characters so far
        self.sections: list[Section] = []
        self.table: list[Row] = []  # rows of tables, as they were written
        self._parts: list[str] = []
        self._gap = Gap.NONE
        self._line = 0  # where the current line starts
        self._rows: list[int | None] = []  # where each open row's text starts
        self._opening = False  # of an item or cell: a block that begins it makes no gap

    @property
    def text(self) -> str:
        """Everything written so far."""
        return "".join(self._parts)

    def add(self, text: str) -> None:
        """Write running text; any white space in it is one space."""
        words = text.split()
        if text[:1].isspace():
            self.gap(Gap.SPACE)
        if words:
            self._write(" ".join(words))
            if text[-1].isspace():
                self.gap(Gap.SPACE)

    def verbatim(self, text: str) -> None:
        """Write text whose lines and indentation stay, set in as code is."""
        body = text.strip("\n")
        if text[:1] == "\n":
            self.gap(Gap.LINE)
        if body:
            begins = self._gap >= Gap.LINE or not self.length
            body = (CODE if begins else "") + _LINE.sub("\n" + CODE, body)
            self._write(body)
            self._line = max(self._line, self.length - len(body) + body.rfind("\n") + 1)
        if after := len(text) - len(text.rstrip("\n")):
            self.gap(Gap.LINE if after == 1 else Gap.PARAGRAPH)

    def gap(self, least: Gap) -> None:
        """Leave at least this gap before the next text."""
        if not self._opening:
            self._gap = max(self._gap, least)

    def block(self, gap: Gap = Gap.PARAGRAPH) -> None:
        """Leave a gap that also the beginning of an item or cell can't swallow."""
        self._opening = False
        self.gap(gap)

    def item(self) -> None:
        """Begin a list item."""
        self.block(Gap.LINE)
        self._opening = True

    def row(self) -> None:
        """Begin a table row."""
        self.block(Gap.LINE)
        self._rows.append(None)

    def cell(self) -> None:
        """Begin a cell of the open row; it has its own line when the last had several."""
        if self._rows and (start := self._rows[-1]) is not None:
            one_line = start == self._line
            self._gap = Gap.CELL if one_line else max(self._gap, Gap.LINE)
        self._opening = True

    def end_row(self) -> None:
        """End the open row; one that is a single line is followed by the next at once."""
        if self._rows and self._rows.pop() == self._line:
            self._gap = Gap.LINE
        self.block(Gap.LINE)

    def rows(self, rows: Sequence[Row]) -> None:
        """Write the rows of a table; `tables.located` finds them again."""
        self.block()
        for row in rows:
            for line in row.text.split("\n"):
                self.block(Gap.LINE)
                self.add(line)
        self.table += rows
        self.block()

    def mark(self) -> "Mark":
        """Note where writing is, for `back`."""
        return len(self._parts), self.length, len(self.sections), self._line, self._gap

    def since(self, mark: "Mark") -> str:
        """Return what was written since."""
        return "".join(self._parts[mark[0] :]).strip()

    def last_line(self) -> str:
        """Return the line that is being written, or that was last; "" for one of a paragraph."""
        size, pieces = self.length - self._line, list[str]()
        if size > MAX_HEADING:
            return ""
        for part in reversed(self._parts):
            pieces.append(part)
            size -= len(part)
            if size <= 0:
                break
        return "".join(reversed(pieces)).strip()

    def back(self, mark: "Mark") -> None:
        """Take back what was written since, but for the gap that it makes."""
        parts, self.length, sections, self._line, gap = mark
        del self._parts[parts:], self.sections[sections:]
        self._gap = max(self._gap, gap)

    def heading(self) -> int:
        """Begin a heading; returns what `end_heading` needs."""
        self.block()
        return len(self._parts)

    def end_heading(self, begun: int, boxes: Collection[str] = ()) -> tuple[int, int]:
        """End a heading: a section begins with it. Returns the heading's place in the text.

        Args:
            begun: what `heading` returned.
            boxes: what begins none, in small letters: "note".
        """
        text = "".join(self._parts[begun:]).lstrip()
        self.block()
        if text and text.rstrip(" :!").lower() not in boxes:
            self.sections.append(Section(self.length - len(text), heading_of(text)))
        return self.length - len(text), self.length

    def apart(self, mark: "Mark") -> tuple[int, int]:
        """End a paragraph that was begun since, which may have been a line; returns its place."""
        text = self.since(mark)
        if self._parts[mark[0] : mark[0] + 1] == ["\n"]:
            self._parts[mark[0]] = "\n\n"
            self.length, self._line = self.length + 1, self._line + 1
        self.gap(Gap.PARAGRAPH)
        return self.length - len(text), self.length

    def end_question(self, begun: "Mark") -> None:
        """End a paragraph in bold: a question is a heading, as lists of them have it."""
        text = "".join(self._parts[begun[0] :]).strip()
        if text.endswith("?") and len(text) <= MAX_HEADING:
            self.end_heading(begun[0])

    def _write(self, text: str) -> None:
        gap = _BETWEEN[self._gap] if self.length else ""
        self._parts += [gap, text]
        if self._gap >= Gap.LINE:
            self._line = self.length + len(gap)
        self.length += len(gap) + len(text)
        self._gap, self._opening = Gap.NONE, False
        for depth in range(len(self._rows) - 1, -1, -1):
            if self._rows[depth] is not None:
                break
            self._rows[depth] = self._line


def heading_of(text: str) -> str:
    """Put a heading's text on one line, without its number."""
    heading = unnumbered(" ".join(text.split()))
    return heading if len(heading) <= MAX_HEADING else heading[: MAX_HEADING - 1] + "…"


def cut(
    text: str, sections: Sequence[Section], start: int, end: int
) -> tuple[str, tuple[Section, ...]]:
    """Cut text[start:end] out, without blanks at its ends, with the sections that begin in it."""
    piece = text[start:end]
    before = start + len(piece) - len(piece.lstrip())
    piece = piece.strip()
    inside = (s for s in sections if before <= s.start < before + len(piece))
    return piece, tuple(replace(s, start=s.start - before) for s in inside)
