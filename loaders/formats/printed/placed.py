"""Where a page's lines stand and in which letters: what tells where a block of text ends.

The words of a line do not tell whether the next one goes on. Headings in bold, terms to the left of
their descriptions and paragraphs apart from each other do.
"""

import itertools
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .pages import SENTENCE_END, plain

_APART = 1.4  # of the usual distance of lines: more is between blocks
_BIGGER = 1.05  # than most letters: a heading's
_SHORT, _FULL = 0.6, 0.9  # of a long line
_INDENT = 0.5  # of a letter's size
_DEEP = 2.5  # of it: more is not how the first line of a paragraph is set in
_SAME_LINE = 0.3  # of it
_BOLD = re.compile(r"bold|black|heavy|medi(?:um)?\b|demi", re.I)
_ITEM = re.compile(r"(?:[^\w\s]|\(?\w{1,3}[.)])\Z")
_RIGHT_TO_LEFT = ("R", "AL")

Matrix = Sequence[float]  # six numbers


@dataclass(slots=True)
class _Line:
    """A line: where it begins, and how its letters are set.

    Args:
        left: of its first letter, in points.
        inner: of what follows the mark of an item, else `left`.
        height: of the line it stands on, upwards.
        right: where its last piece begins.
        fonts: how many letters are set in each, and its size.
    """

    text: str = ""
    left: float = 0.0
    inner: float = 0.0
    height: float = 0.0
    size: float = 0.0
    right: float = 0.0
    fonts: Counter[tuple[str, float]] = field(default_factory=Counter)

    @property
    def is_of_one_font(self) -> bool:
        return len(self.fonts) == 1


class Placed:
    """Takes up a page's pieces of text as pypdf comes upon them."""

    def __init__(self) -> None:
        self._taken: list[str] = []
        self._pieces: list[str] = []
        self._lines = [_Line()]

    def add(self, text: str, outer: Matrix, inner: Matrix, font: Any, size: float) -> None:  # noqa: ANN401
        """Take up a piece of a line, which may end it: `visitor_text` of pypdf."""
        self._taken.append(text)
        line, words = self._lines[-1], text.strip()
        if words:
            x = inner[4] * outer[0] + inner[5] * outer[2] + outer[4]
            y = inner[4] * outer[1] + inner[5] * outer[3] + outer[5]
            scale = abs(inner[3] * outer[3]) or abs(inner[1] * outer[1]) or 1.0
            named = str(font.get("/BaseFont", "")) if font is not None else ""
            self._place(line, text, x, y, named, round(size * scale, 1))
        self._pieces.append(text)
        line.text += text
        if text.endswith("\n"):
            self._lines.append(_Line())

    def _place(self, line: _Line, text: str, x: float, y: float, font: str, size: float) -> None:
        before = line.text.strip()
        if not before:
            line.left = line.inner = x
            line.height, line.size = y, size
        elif _ITEM.match(before):
            line.inner = x
        here = abs(y - line.height) < _SAME_LINE * size and x < line.right - size
        if before and here and not (line.text[-1].isspace() or text[0].isspace() or _is_rtl(text)):
            self._pieces.append(" ")  # a label at the right margin was written first
            line.text += " "
        line.right = x
        line.fonts[font, size] += len(text.strip())

    def text(self, told: str) -> str:
        """The page's text, with a blank where its writing leaps back within a line.

        Args:
            told: by pypdf; that is returned where the pieces are not all of it.
        """
        return "".join(self._pieces) if "".join(self._taken) == told else told

    def ends(self) -> frozenset[tuple[str, str]]:
        """Pairs of lines, in letters and with single blanks, between which a block ends."""
        lines = [line for line in self._lines if line.text.strip()]
        drops = [a.height - b.height for a, b in itertools.pairwise(lines)]
        down = [drop for drop in drops if drop > 0]
        letters = sum((line.fonts for line in lines), Counter[tuple[str, float]]())
        if not down or not letters:
            return frozenset()
        page = _Usual(
            letters.most_common(1)[0][0],
            statistics.median(down),
            sorted(len(line.text) for line in lines)[len(lines) * 9 // 10],
        )
        around = zip([None, *lines], lines, lines[1:], [*lines[2:], None], drops, strict=False)
        return frozenset(
            (plain(line.text), plain(following.text))
            for before, line, following, behind, drop in around
            if page.parts(before, line, following, behind, drop)
        )


@dataclass(frozen=True, slots=True)
class _Usual:
    """What is usual on a page: font and size, distance of lines in points, letters of a line."""

    font: tuple[str, float]
    distance: float
    width: int

    def parts(
        self, before: _Line | None, line: _Line, following: _Line, behind: _Line | None, drop: float
    ) -> bool:
        """Whether a block ends with a line.

        Args:
            before: the line above, None for none.
            line: that may end it.
            following: the next one.
            behind: the one after that, None for none.
            drop: how much lower the next one stands.
        """
        apart = drop > _APART * self.distance
        if self._is_heading(line, following, apart) or self._is_heading(following, line, apart):
            return True
        ended = SENTENCE_END.search(line.text.rstrip()) is not None
        full = len(line.text) > _FULL * self.width
        goes_on = not ended and (full or following.text.lstrip()[:1].islower())
        if goes_on or drop <= 0:
            return False
        indent = _INDENT * following.size
        level = before is not None and abs(before.left - line.left) < indent
        deep = ended and following.left < line.left - _DEEP * following.size
        if deep or (level and following.left < line.left - indent):
            return True
        if ended and following.left > line.inner + indent:  # the first line of a paragraph is
            return behind is not None and abs(behind.left - line.left) < indent
        return apart

    def _is_heading(self, line: _Line, beside: _Line, apart: bool) -> bool:
        """Whether a line is set otherwise than text is, and than the one beside it."""
        if not line.is_of_one_font or line.fonts.keys() == beside.fonts.keys():
            return False
        ((font, size),) = line.fonts
        bigger = size > _BIGGER * self.font[1]
        bold = font != self.font[0] and _BOLD.search(font) is not None
        alone = apart or len(line.text) < _SHORT * self.width
        return bigger or (bold and alone)


def _is_rtl(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text)
