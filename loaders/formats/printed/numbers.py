"""Headings of printed pages, told by their numbers: "4 Tides", "4.1 ebb", "A Charts"."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

_LINE = re.compile(r"(\d{1,2}|[A-Z])((?:\.\d{1,2}){0,4})\.?\s+(?=[^\W\d_])(.{2,80})")
_CHAPTER = re.compile(r"(?:\d{1,2}|[A-Z])\s+[^\W\d_a-z][^.;:!?]{2,80}")
_UNNUMBERED = re.compile(r"bibliography|references|glossary|index|acknowledge?ments|preface", re.I)
_NO_HEADING = re.compile(r"[.,;:!?]$|\s\d+$|[=;{}]")  # a sentence, an entry of contents, code
_INDEXED = re.compile(r"[^,]*\D,\s*\d+(?:\s*[-–,]\s*\d+)*")
_WORDS = 9
_PLACES = r"[\divxlc]+(?:\s*[-–,]\s*\d+)*,?"  # "52", "iv", "34, 46-48,"
_FIRST = r"(?<!\.)(?<!\.\s)"  # no dot of the same leader stands before
_LED = re.compile(rf"{_FIRST}(?:\s?\.){{2,}}+\s*+{_PLACES}$", re.I)  # "Copy . . . 46, 120"
_LEADER = re.compile(rf"{_FIRST}(?:\s?\.){{5,}}+\s*+(?:{_PLACES})?$", re.I)
_NUMBERED = re.compile(r"\d[\d.]*+\s")
_EDGE = re.compile(r"(\d{1,4})\s+([^\d\s].*)|(.*[^\d\s])\s+(\d{1,4})")
_LEAST = 5  # pages with a running head
_BROKEN_HEADING = re.compile(
    r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){1,4}\.?\s+[^\W\d_a-z].{1,70} "
    r"(?:a|an|and|at|by|for|from|in|into|of|on|or|the|to|under|with)"
)
_REST = 5  # words of a heading's second line
_ENTRIES = 8  # of a page of an index
_MOST = 0.7

Page = tuple[int, list[str]]


def chapters(pages: Sequence[Page]) -> dict[str, int]:
    """Find the titles of chapters that pages after each other begin with: by line, the first page.

    Where the number does not go with the page's, the head of the pages is the chapter's title.

    Args:
        pages: number and lines of each.
    """
    first: dict[str, int] = {}
    tops = [(number, lines[0]) for number, lines in pages if lines]
    for (number, line), (_, following) in pairwise(tops):
        if line == following and _CHAPTER.fullmatch(line):
            first.setdefault(line, number)
    return first


def headings(pages: Sequence[Page], titles: Mapping[str, int]) -> dict[int, set[str]]:
    """Find the lines that are headings, by page: each number follows the one before.

    Args:
        pages: number and lines of each, in order.
        titles: of chapters, as `chapters` finds them.
    """
    numbered = (_LINE.fullmatch(line) for _, lines in pages for line in lines)
    divided = {found[1] for found in numbered if found and found[2] == ".1"}
    told, last = defaultdict[int, set[str]](set), ("0",)
    for number, lines in pages:
        for place, line in enumerate(lines):
            if not place and _UNNUMBERED.fullmatch(line):
                told[number].add(line)
            found = _LINE.fullmatch(line)
            if not found or _NO_HEADING.search(line) or len(line.split()) > _WORDS:
                continue
            here = (found[1], *found[2].split(".")[1:])
            sure = titles.get(line) == number
            alone = len(here) > 1 or found[1] in divided or (not place and found[1].isdigit())
            if sure or (
                alone and (len(here) > 1 or found[3][0].isupper()) and _follows(last, here)
            ):
                told[number].add(line)
                last = here
    return told


def running_heads(pages: Sequence[Page]) -> set[tuple[int, str]]:
    """Find the first and last lines that have their page's printed number beside words.

    As (page, line). Most pages tell how much the printed number is less than the page's: "4.9.
    TIDES 77" above one, "76 CHAPTER 4. MAPS" above the other. What a number begins has to stand
    above several pages, or be in capitals: a heading may begin with the same number.
    """
    found = [
        (number - int(digits), number, line, words, digits != edge[1])
        for number, lines in pages
        for line in dict.fromkeys(lines[:1] + lines[-1:])
        if (edge := _EDGE.fullmatch(line))
        for digits, words in [(edge[1] or edge[4], edge[2] or edge[3])]
    ]
    offsets = Counter(less for less, *_ in found)
    less, pages_of_it = max(offsets.items(), key=lambda one: one[1], default=(0, 0))
    if pages_of_it < max(_LEAST, len(pages) // 2):
        return set()
    often = Counter(words for _, _, _, words, _ in found)
    return {
        (number, line)
        for other, number, line, words, behind in found
        if other == less and (behind or often[words] > 1 or words.isupper())
    }


def whole(lines: Sequence[str]) -> list[str]:
    """Put numbered headings together whose first line ends in "of", "and" and the like."""
    kept = list[str]()
    for line in lines:
        broken = kept and _BROKEN_HEADING.fullmatch(kept[-1]) and not _NO_HEADING.search(kept[-1])
        if broken and line and len(line.split()) <= _REST and not _NO_HEADING.search(line):
            kept[-1] += f" {line}"
        else:
            kept.append(line)
    return kept


def _follows(last: tuple[str, ...], here: tuple[str, ...]) -> bool:
    """Whether a number comes behind another: 3.2, 4 or 3.1.1 behind 3.1."""
    level = next((n for n, part in enumerate(here) if part != "".join(last[n : n + 1])), -1)
    if level < 0 or any(part != "1" for part in here[level + 1 :]):
        return False
    before = last[level] if level < len(last) else "0"
    if here[level].isdigit():
        return before.isdigit() and int(here[level]) == int(before) + 1
    return here[level] == ("A" if before.isdigit() else chr(ord(before) + 1))


def without_index(pages: Sequence[Page]) -> list[Page]:
    """Leave out an index and a table of contents: they tell where things are said, not what.

    Their pages go, of which most lines are entries, and entries on other pages.
    """
    kept, within, listed = list[Page](), False, False
    for number, lines in pages:
        entries = sum(_INDEXED.fullmatch(line) is not None for line in lines)
        begins = any(line.casefold() == "index" for line in lines[:2])
        within = _is_full(entries, len(lines)) and (within or begins)
        led = sum(_LED.search(line) is not None for line in lines)
        words = sum(len(line) > 1 for line in lines)  # no letter above its entries
        listed = _is_full(led, words) or (listed and 2 * led > words)
        text = [line for line in lines if not _is_entry(line)]
        kept.append((number, [] if within or listed else text))
    return kept


def _is_entry(line: str) -> bool:
    """Whether a line is of a table of contents, or of an index, also on a page of text."""
    led = _LEADER.search(line) or (_NUMBERED.match(line) and _LED.search(line))
    return led is not None


def _is_full(entries: int, lines: int) -> bool:
    return entries >= _ENTRIES and entries >= _MOST * lines
