"""Fonts of a PDF's pages whose blank has no width: pypdf takes that of another letter for it.

XeTeX writes no blanks, it moves on by their width, and leaves their glyph out of its fonts. Then
pypdf looks up glyph 32, whichever that is: where it is a "=", narrow gaps part no words.
"""

import contextlib
from collections.abc import Sequence
from typing import Any

import pypdf
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    StreamObject,
)

BLANK = 300
"""Thousandths of a letter's size: pypdf parts words at gaps of some half of it."""
_TAKEN = 32  # the glyph that pypdf takes for a blank where a font tells none
_UNUSED = 0xFFFF  # no font has that glyph
_BY_GLYPH = ("/Identity-H", "/Identity-V")  # a letter's code is its glyph's number
_MEANING = b"\n1 beginbfchar\n<FFFF> <0020>\nendbfchar\n"


class Fonts:
    """Mends the fonts of a file's pages in memory, each once."""

    def __init__(self) -> None:
        self._seen = set[int]()

    def mend(self, page: pypdf.PageObject) -> None:
        """Tell pypdf how wide a blank is in fonts that would have another letter's width for it.

        What a font says of its letters stays, also of a blank where it has one.
        """
        fonts: list[Any] = []
        # A damaged file makes pypdf raise anything; it says so itself where it matters.
        with contextlib.suppress(Exception):
            fonts += page["/Resources"]["/Font"].values()  # pyright: ignore[reportIndexIssue]
        for font in fonts:
            with contextlib.suppress(Exception):
                self._mend(font.get_object())

    def _mend(self, font: DictionaryObject) -> None:
        reference = font.indirect_reference
        if reference is not None and reference.idnum in self._seen:
            return
        if reference is not None:
            self._seen.add(reference.idnum)
        if not {"/ToUnicode", "/DescendantFonts"} <= font.keys():
            return
        parts, meanings = font["/DescendantFonts"], font["/ToUnicode"]
        if font.get("/Encoding") not in _BY_GLYPH or not isinstance(parts, ArrayObject):
            return
        inner = parts[0].get_object()
        if "/W" not in inner or not isinstance(meanings, StreamObject):
            return
        widths = inner["/W"]
        if not _has_width(widths, _TAKEN) or _has_width(widths, _UNUSED):
            return
        # Behind all others: a font that has a blank of its own keeps that.
        told = DecodedStreamObject()
        told.set_data(meanings.get_data() + _MEANING)
        font[NameObject("/ToUnicode")] = told
        inner[NameObject("/W")] = ArrayObject(
            [*widths, NumberObject(_UNUSED), ArrayObject([NumberObject(BLANK)])]
        )
        inner.setdefault(NameObject("/DW"), NumberObject(1000))  # as the standard has it


def _has_width(widths: Sequence[Any], glyph: int) -> bool:
    """Whether a list of `first [width …]` and `first last width` tells a glyph's."""
    place = 0
    while place + 1 < len(widths):
        first, second = (one.get_object() for one in widths[place : place + 2])
        if isinstance(second, ArrayObject):
            last, place = int(first) + len(second) - 1, place + 2
        else:
            last, place = int(second), place + 3
        if int(first) <= glyph <= last:
            return True
    return False
