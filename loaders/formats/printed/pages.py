"""Lines of printed pages → running text.

A page knows lines, not sentences: what ends a line is put together again with what begins the
next, also over the end of a page, and what stands on every page is left out.
"""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from ....kg.text.lines import both_labelled
from ....kg.types import Section
from ...layout import heading_of
from . import numbers

_LIGATURES = str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "ft",
        "ﬆ": "st",
        "\xa0": " ",
        "\xad": "-",
    }
)
_ACCENTS = {
    "¨": "\u0308",
    "´": "\u0301",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "˚": "\u030a",
}
_ACCENTED = re.compile(rf"([{''.join(_ACCENTS)}])([A-Za-zı])")  # as TeX sets "ö": "¨o"
_GLYPH = re.compile(r"/(f(?:_[fijlt])+)")  # a ligature's name, where a font tells no letters
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐]\Z")
_CUT_CAPITALS = re.compile(r"\b[^\W\d_a-z]{2,}[-‐]\Z")
_HYPHENED = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}(?:-[^\W\d_]{2,})+")
_WORD_CUT = re.compile(r"(?<!-)(?<![^\W\d_])[^\W\d_]+(?:-[^\W\d_]+)*-\Z")
_REST_OF_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ITEM = re.compile(r"[•‣▪◦●○■–*·]\s")
_OPTION = re.compile(r"(?:--?|[–—])[^\W_][\w-]*(?=[\s=,\[(]|$)")  # "--quiet", as TeX sets it, too
_STOPPED = re.compile(r"[.!?:)]\Z")
_ROW = re.compile(r"[-–]?\d(?:[\d.,]*\d)?\s+[^\s.)]")
_ROWS = 3
_NUMBERED = re.compile(r"(?:\(?\d{1,3}[.)]|\d{1,2}(?:\.\d{1,2})+\.?|\(?[a-z]\))\s")
SENTENCE_END = re.compile(r"[.!?:…。！？][\"'”’)\]]*\Z")
_HEADED = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+[^\W\d_a-z][^.;:!?]{1,90}")
_CHAPTER = re.compile(r"^\d{1,2}\s+")  # a number that a title may begin with, too
_NUMBER_BESIDE = re.compile(
    r"(?:(?:\d[\d.]* )?(\S.*?) \d{1,4}|\d{1,4} ((?:Chapter|Appendix|Part) [\dA-Z]+\b.*))",
    re.I,
)
_NUMBERS = re.compile(r"\d+|^[ivxlc]+(?= |$)|(?<= )[ivxlc]+$")  # also "iv Tides"
_EDGE = 2  # lines that a page's head or foot has at most
_ALL_EDGE = 3 * _EDGE  # lines of a page that may be all head and foot
_FEW = 2  # pages that may begin or end alike, but for numbers, without it being their head or foot
_SHORT = 0.8  # of a page's long lines: less ends a paragraph
_HEADING = 0.6  # and less than this is no line of running text


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a printed page.

    Args:
        number: from 1.
        text: its lines.
        rows: those that are a table's.
        ends: pairs of its lines between which a block ends.
    """

    number: int
    text: str
    rows: frozenset[str] = frozenset()
    ends: frozenset[tuple[str, str]] = frozenset()


def joined(
    pages: Sequence[Page], headings: Sequence[tuple[int, str]]
) -> tuple[str, tuple[Section, ...]]:
    """Join pages to running text, and say where each page and heading begins in it.

    Args:
        pages: in order.
        headings: (page number, heading) in order.
    """
    pieces: list[str] = []
    sections: list[Section] = []
    length = 0
    by_number = {page.number: page for page in pages}
    read = _running(pages, {heading_of(h).casefold() for _, h in headings})
    told = {} if headings else numbers.headings(*read)
    hyphened = _hyphened(lines for _, lines in read[0])
    for number, lines in read[0]:
        alone = told.get(number, set[str]())
        paragraphs = _paragraphs(lines, by_number[number], alone, hyphened)
        if not paragraphs:
            continue
        gap, cut = _gap(pieces[-1], paragraphs[0], hyphened) if pieces else ("", 0)
        if cut:
            pieces[-1], length = pieces[-1][:-cut], length - cut
        text = "\n\n".join(paragraphs)
        start = length + len(gap)
        here = [h for n, h in headings if n == number] if headings else _headed(paragraphs, alone)
        sections += _sections(text, start, number, sections, here)
        pieces += [gap, text]
        length = start + len(text)
    return "".join(pieces), tuple(sections)


def _running(
    pages: Sequence[Page], headings: Set[str]
) -> tuple[list[numbers.Page], dict[str, int]]:
    """Each page's lines without its head and foot, and titles of chapters with their first pages.

    Head and foot are what other pages begin or end with too, but not a title on its first page.

    Args:
        headings: without their numbers; one before a page's number is a head or foot as well, or
            an entry of a table of contents.
    """
    read = numbers.without_index([(page.number, _lines(page.text)) for page in pages])
    titles = numbers.chapters(read)
    running = numbers.running_heads(read)
    often = _often(lines for _, lines in read)
    # Of a page that may be all head and foot only what has a number beside it, as on full pages.
    full = _often(lines for _, lines in read if len(lines) > _ALL_EDGE)
    numbered = {key for key in full if "1" in key}

    def kept(number: int, lines: list[str]) -> list[str]:
        last = len(lines) - _EDGE
        heads = numbered if len(lines) <= _ALL_EDGE else often
        return [
            line
            for place, line in enumerate(lines)
            if titles.get(line, number) == number
            and ((number, line) not in running or line in titles)
            and (_EDGE <= place < last or line in titles or _key(line) not in heads)
            and _beside_number(line) not in headings
        ]

    return [(number, numbers.whole(kept(number, lines))) for number, lines in read], titles


def _often(pages: Iterable[list[str]]) -> set[str]:
    """What several pages begin or end with, numbers aside."""
    edges = Counter(
        key for lines in pages for key in {_key(line) for line in lines[:_EDGE] + lines[-_EDGE:]}
    )
    return {key for key, count in edges.items() if count > _FEW} | {_key("1")}  # its own number


def plain(text: str) -> str:
    """Write letters as letters, and everything in one line."""
    return " ".join(letters(text).split())


def letters(text: str) -> str:
    """Write ligatures, and what stands for letters, as letters."""
    written = _CONTROL.sub(" ", text.translate(_LIGATURES).replace("\r", "\n"))
    written = _GLYPH.sub(lambda found: found[1].replace("_", ""), written)
    return _ACCENTED.sub(_accented, written)


def _accented(found: re.Match[str]) -> str:
    letter = "i" if found[2] == "ı" else found[2]
    one = unicodedata.normalize("NFC", letter + _ACCENTS[found[1]])
    return one if len(one) == 1 else found.group()


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in letters(text).strip().split("\n")]


def _key(line: str) -> str:
    return _NUMBERS.sub("1", line)


def _beside_number(line: str) -> str:
    """The heading that a page's number may stand behind, or before "Chapter 3. Tides"."""
    found = _NUMBER_BESIDE.fullmatch(line)
    return heading_of(found[1] or found[2]).casefold() if found else ""


def _paragraphs(
    lines: list[str], page: Page, alone: Set[str], hyphened: Set[str] = frozenset()
) -> list[str]:
    """Put lines together.

    Args:
        lines: of the page that are text.
        page: what is known of them.
        alone: those that are headings.
        hyphened: words that the document writes with a hyphen.
    """
    rows = page.rows
    lengths = sorted(len(line) for line in lines if line and line not in rows)
    width = lengths[len(lengths) * 9 // 10] if lengths else 0
    paragraphs: list[str] = []
    before = ""  # the line above, "" where nothing goes on
    figures = _in_figures(lines, alone)
    for place, line in enumerate(lines):
        if (line in rows and before in rows) or (place in figures and place - 1 in figures):
            paragraphs[-1] += f"\n{line}"
        elif line and (line in rows or before in rows or place in figures):
            paragraphs.append(line)
        elif (
            before
            and line
            and not (
                {before, line} & alone or (before, line) in page.ends or _ends(before, line, width)
            )
        ):
            gap, cut = _between(before, line, hyphened)
            paragraphs[-1] = paragraphs[-1][: len(paragraphs[-1]) - cut] + gap + line
        elif line:
            paragraphs.append(line)
        before = line
    return paragraphs


def _in_figures(lines: Sequence[str], alone: Set[str]) -> set[int]:
    """Lines that each begin with a figure, several after each other: a table without rules."""

    def is_row(place: int) -> bool:
        line = lines[place]
        return bool(_ROW.match(line)) and line not in alone and not _HEADED.fullmatch(line)

    found = set[int]()
    for figures, run in itertools.groupby(range(len(lines)), is_row):
        places = list(run)
        if figures and len(places) >= _ROWS:
            found.update(places)
    return found


def _ends(line: str, following: str, width: int) -> bool:
    """Whether a line is the last of its paragraph."""
    if _ITEM.match(following) or both_labelled(line, following):
        return True
    if _OPTION.match(following) and (_STOPPED.search(line) or len(line) < _SHORT * width):
        return True
    if following[:1].isupper() and (line.endswith(":") or _HEADED.fullmatch(line)):
        return True
    if following[:1].islower():
        return False
    ended = SENTENCE_END.search(line) is not None
    if _NUMBERED.match(following) and (ended or len(line) < _SHORT * width):
        return True
    return len(line) < (_SHORT if ended else _HEADING) * width and not line.endswith(",")


def _hyphened(pages: Iterable[list[str]]) -> frozenset[str]:
    """Words that stand with a hyphen within lines, and nowhere without: "stepping-stone"."""
    words, whole = set[str](), set[str]()
    for line in itertools.chain.from_iterable(pages):
        if "-" in line:
            words.update(word.lower() for word in _HYPHENED.findall(line))
        whole.update(line.lower().split())
    return frozenset(word for word in words if word.replace("-", "") not in whole)


def _between(line: str, following: str, hyphened: Set[str]) -> tuple[str, int]:
    """What joins two lines of a paragraph, and how many characters of the first go."""
    capitals = _CUT_CAPITALS.search(line) and following[:2].isupper()
    if capitals or (_HYPHEN.search(line) and following[:1].islower()):
        word = _WORD_CUT.search(line)
        parted = word and (rest := _REST_OF_WORD.match(following)) and f"{word[0]}{rest[0]}"
        return "", int(not parted or parted.lower() not in hyphened)
    address = line.endswith("/") and " " not in following  # which goes on
    return ("" if address or line.endswith(("-", "‐")) else " "), 0


def _gap(before: str, following: str, hyphened: Set[str]) -> tuple[str, int]:
    """The same for the end of a page."""
    goes_on = not SENTENCE_END.search(before) and following[:1].islower()
    return _between(before, following, hyphened) if goes_on else ("\n\n", 0)


def _headed(paragraphs: list[str], told: Set[str]) -> list[str]:
    """Headings of a file without an outline, known by their numbers."""
    return [
        heading_of(_CHAPTER.sub("", p)) for p in paragraphs if p in told or _HEADED.fullmatch(p)
    ]


def _sections(
    text: str, start: int, page: int, before: Sequence[Section], headings: Iterable[str]
) -> list[Section]:
    """A page's own section, which goes on with the last heading, and those of its headings."""
    found = {0: Section(start, before[-1].heading if before else "", page)}
    place = 0
    for heading in headings:
        words = r"\s+".join(map(re.escape, heading.split()[:40]))
        number = r"(?:[A-Z](?:\.\d+)+\s+|[\dIVX. ]{0,20})"
        match = re.compile(rf"^{number}{words}", re.M | re.I).search(text, place)
        if match:
            place = match.end()
        if match or place == 0:  # one that is worded otherwise here is taken for the page's own
            at = match.start() if match else 0
            found[at] = Section(start + at, heading, page)
    return [found[place] for place in sorted(found)]
