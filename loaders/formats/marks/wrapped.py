"""Paragraphs of short texts that were wrapped: too few lines to tell the width of a whole file.

`kg.text.lines` puts lines together by the width that most of a file's lines have. Of a note of
three lines there is no such width; there the words at a line's end tell that its sentence goes on.
"""

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....kg.text.lines import MARKS, ROW, SLACK, WIDEST, unwrapped
from ....kg.types import Section
from ...layout import CODE

_NARROWEST = 24  # characters of a line that was wrapped
_VERSES = 4  # lines that all begin with a capital letter, or of which half end in a comma or stop
_AT_ONCE = 4  # of so many breaks one may be no end of a full line
_ITEM = re.compile(rf"\s*(?:[{MARKS}]|\(?\d{{1,3}}[.)]|\(?[A-Za-z][.)])\s+")
_NO_PROSE = re.compile(r"[={}|\\<>\t#$`]|(?<![.!?:]) {2,}\S|^[\[*_~]")
_LABEL = re.compile(r"[^\W\d_][\w.'-]*(?: [\w.'-]+){0,2}: ?\S")  # "Present: Ann Lee", "ann: so"
_END = re.compile(r"\n[ \t]*+")
_TIME = re.compile(r"\d{1,2}[:.]\d\d\b|\d{4}-\d\d")  # begins a line of a log
_ENTRY = re.compile(  # "1901: founded", "3 May Meeting", "Mon-Fri 9-5", "INFO so", "Swan – a skiff"
    r"\d{4}:|\d{1,2}\.? [A-Z][a-z]{2,8}\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b|[A-Z]{4,}\b"
    r"|[^\W\d_][\w'-]* [–—-] "
)
_STOPPED = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*(?:$|\s+[^\W\d_a-z])")
_GOES_ON = frozenset(
    """a an the of in on at by for from to with into onto between among against
    during towards until per via and or nor but that which who whom
    whose when where while if because as than is are was were be been being has have had does did
    will would can could may might must shall should not its his her their our my your this these
    those every each very called named""".split()
)
"""Words that end no sentence, or hardly ever."""


def rejoined(text: str, sections: Sequence[Section]) -> tuple[str, tuple[Section, ...]]:
    r"""Make line ends within wrapped paragraphs blanks, also those that long texts show.

    Lists, verses, addresses, records, logs and code keep their lines. What a line was set in by
    goes with its end.

    Args:
        text: with "\n" at its line ends.
        sections: of it.
    """
    whole = _whole(text)
    pieces, cuts, gone, start = list[str](), [0], [0], 0
    for line in _END.finditer(text):
        if whole[end := line.start()] == "\n":
            continue
        pieces.append(whole[start : end + 1])
        start = line.end()
        cuts.append(start)
        gone.append(gone[-1] + start - end - 1)
    moved = (replace(s, start=s.start - gone[bisect_left(cuts, s.start + 1) - 1]) for s in sections)
    return "".join([*pieces, whole[start:]]), tuple(moved)


def _whole(text: str) -> str:
    """The text with its line ends within paragraphs made blanks: as long as it was."""
    known = unwrapped(text)
    blocks = list(_blocks(text.split("\n")))
    width, found = 0, set[int]()
    for block in blocks:
        if told := _told(block, known):
            width = max(width, *(len(line) for _, line in block))
            found.update(told)
    for block in blocks if width else ():  # what is full, and tells nothing else, goes on likewise
        full = all(_is_full(line, following, width) for _, line, following in _breaks(block))
        if full and _ends_sentence(block) and _is_prose([line for _, line in block]):
            found.update(end for end, line, _ in _breaks(block) if not _STOPPED.search(line))
    pieces = list(known)
    for place in found:
        pieces[place] = " "
    return "".join(pieces)


_Line = tuple[int, str]
"""Where it begins in the text, and what it says."""


def _blocks(lines: Sequence[str]) -> Iterator[list[_Line]]:
    """Paragraphs and items of several lines, but for those that are set in as code is."""
    starts = itertools.accumulate((len(line) + 1 for line in lines), initial=0)
    block = list[_Line]()
    for place, line in zip(starts, [*lines, ""], strict=False):
        if not line.strip() or _ITEM.match(line):
            if len(block) > 1:
                yield block
            block = []
        if line.strip():
            block.append((place, line.rstrip()))
    if len(block) > 1:
        yield block


def _breaks(block: Sequence[_Line]) -> Iterator[tuple[int, str, str]]:
    """Where each line ends in the text, the line, and the next one."""
    for (place, line), (following_place, following) in itertools.pairwise(block):
        del place
        yield following_place - 1, line, following.lstrip()


def _told(block: Sequence[_Line], known: str) -> list[int]:
    """The line ends of a paragraph that are none, by the words at them; none where it is none."""
    lines = [line for _, line in block]
    if not _is_prose(lines):
        return []
    width = max(map(len, lines))
    told, plainly, cut, full, left = list[int](), 0, 0, 0, 0
    for number, (end, line, following) in enumerate(_breaks(block)):
        is_full = _is_full(line, following, width)
        is_cut = breaks_off(line)
        ended = _STOPPED.search(line) or line.isupper()
        goes_on = following[0].islower() and not ended
        plainly += is_cut or goes_on
        cut += is_cut or known[end] == " "
        full += is_full
        if ended:
            continue
        if is_cut or is_full or goes_on:
            told.append(end)
        elif number or not following[0].isupper():  # no title above the text
            left += 1
    wrapped = cut or (full == len(lines) - 1 and _ends_sentence(block))
    return told if plainly and wrapped and left * _AT_ONCE <= len(lines) - 1 else []


def breaks_off(line: str) -> bool:
    """Whether a line ends in a word that no sentence ends in."""
    return line.rpartition(" ")[2] in _GOES_ON


def _ends_sentence(block: Sequence[_Line]) -> bool:
    return _STOPPED.search(block[-1][1]) is not None


def _is_full(line: str, following: str, width: int) -> bool:
    """Whether the next word would not have fitted."""
    return width - SLACK < len(line) + 1 + len(following.split(None, 1)[0]) and len(line) <= width


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether lines may be of one paragraph: sentences, no list, verse, address, record or log."""
    first, *others = lines
    bare = [line.strip() for line in lines]
    begun = first[len(item[0]) :] if (item := _ITEM.match(first)) else bare[0]
    indents = {len(line) - len(line.lstrip()) for line in others}
    if len(indents) > 1 or (not item and first.startswith(CODE)):
        return False
    if not _NARROWEST <= max(map(len, lines)) <= WIDEST or not begun or begun[0].islower():
        return False
    if any(_NO_PROSE.search(line) or ROW.match(line) for line in [begun, *bare[1:]]):
        return False
    if any(_LABEL.match(line) for line in bare[1:]) or sum(map(bool, map(_TIME.match, bare))) > 1:
        return False
    if sum(map(bool, map(_ENTRY.match, bare))) > 1:
        return False
    listed = any(
        line.endswith(":") and following[0].islower()
        for line, following in itertools.pairwise(bare)
    )
    stops = sum(line[-1] in ",.;:!?—" for line in bare[:-1])
    verse = all(line[0].isupper() for line in bare) or 2 * stops >= len(bare)
    verse = verse and len(bare) >= _VERSES
    return not listed and not verse and any(map(_SENTENCE.search, bare))
