"""Headings that number on: "2.4 Tides", then "2.4.1 When is it ebb, and how …", then "2.5 Maps".

One number says little: lists, figures and versions begin with one, too. Where the numbered lines of
a text follow each other from its beginning to its end they are its headings, also over several
lines or as a question. Minutes and agendas number their items, with a heading in a line of its own
or before the words ("3. Lathe – it is in and levelled").
"""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ....kg.text.titles import bears
from ...layout import MAX_HEADING, heading_of
from .wrapped import breaks_off

RULE = re.compile(r"[ \t]*([-=~^*_+#.])\1{2,}[ \t]*")
_NUMBERED = re.compile(
    r"""[^\S\n]*(?:subject:\s+)?(?:(?:chapter|section|part):?\s+|Q\.?\s?)?
    (?P<number>\d{1,2}(?:\.\d{1,2}){0,5})(?P<stop>[.):]*)(?:\s+--?)?\s+(?P<said>[^\s\d].*)""",
    re.VERBOSE | re.IGNORECASE,
)
_LETTERED = re.compile(
    r"^\s*(?P<number>[A-Z](?:\.\d{1,2}){0,5})(?P<stop>[.):]*)\s+(?P<said>[^\W\d_].*)"
)
_LABEL = re.compile(  # "Slipway – it has cracked", "New eight: 14,200", "Tea. Ann makes it"
    r"([^\W\d_a-z][^.:;!?–—]{1,58}?)(?: [–—-]{1,2} |: )(?=\S)|([^\W\d_a-z]\w+(?: \w+)?)\. (?=\S)"
)
_ITEM = re.compile(r"\s*[-*+•‣▪◦●○■–]\s")
_STARS = re.compile(r"^[*=~]{2,}\s*|(?<![\s*=~])\s*[*=~]{2,}$")  # around a heading
_STOPPED = re.compile(r"[.,:;!…]$")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\Z")
_LEADER = re.compile(r"(?: ?\.){4}|(?<!\s)\s{2,}\d+$")  # of contents: "2.1 Tides ..... 14"
_FIELD = re.compile(r"(?:From|Date|Posted|Updated|Last[ -]\w+|Author|By): ", re.IGNORECASE)
_LINES, _WORDS = 3, 30  # of a heading at most
_LABEL_WORDS = 6
_BROKEN = 0.5  # of the longest line of a paragraph: less is no line that was wrapped
_FULL = 0.7  # … of a text
_A = ord("A")
LEAST = 4  # numbers that follow each other
_LEAST_ITEMS = 3  # … of minutes
_NEARLY_ALL = 0.6  # of the lines that may be headings
_GAP = 3  # by which a number may be more than the one before
_BACK = 40  # candidates before one that may be the one before
_LOOSE = 0.4  # counts a number behind a gap

Number = tuple[int, ...]


class Heading(NamedTuple):
    """A heading that numbers on.

    Args:
        lines: that it takes; 0 where the text goes on in its first line.
        said: without its number; "" for an item that has none.
        is_item: of minutes, each of which speaks of something else.
    """

    lines: int
    said: str
    is_item: bool = False


class _Found(NamedTuple):
    """What may be a heading: the line where it begins, its number."""

    place: int
    number: Number
    written: str
    heading: Heading


def numbering(lines: Sequence[str]) -> tuple[list[str], dict[int, Heading]]:
    """Find the headings that number on, and write each that takes several lines in one.

    Returns:
        The lines, an empty one below each heading; and the headings by their lines.
    """
    found = _headings(lines) or _items(lines)
    written, told, last = list[str](), dict[int, Heading](), 0
    for one in found:
        written += lines[last : one.place]
        told[len(written)] = one.heading
        last = one.place + max(1, one.heading.lines)
        written.append(_written(one, lines[one.place : last]))
        written += [""] if one.heading.lines else []
    return ([*written, *lines[last:]], told) if found else (list(lines), told)


def _written(one: _Found, lines: Sequence[str]) -> str:
    """The line of a heading: its number and what it says, without "Subject:" or "Q"."""
    if not one.heading.lines:
        return lines[0]
    line = " ".join(" ".join(lines).split())
    plain = bears(line, heading_of(one.heading.said))
    return line if plain else f"{one.written} {one.heading.said}"


def _headings(lines: Sequence[str]) -> list[_Found]:
    """Those of a text with sections in sections, each alone or over what is set in deeper."""
    found = _candidates(lines, _alone)
    chain = _chain(found)
    enough = len(chain) >= LEAST and len(chain) >= _NEARLY_ALL * len(found)
    several = sum(len(one.number) > 1 for one in chain) >= LEAST - 1
    chain = chain if enough and (several or chain[0].number <= (1,)) else []
    return sorted([*chain, *_lettered(lines, 2 if chain else LEAST)])


def _lettered(lines: Sequence[str], least: int) -> list[_Found]:
    """Those with letters, as of a text's appendices: "A. Tides", "A.1. Ebb", "B. Maps"."""
    chain = _chain(_candidates(lines, _alone, _LETTERED))
    exact = all(_link(one.number, after.number) == 1 for one, after in itertools.pairwise(chain))
    return chain if len(chain) >= least and exact and chain[0].number == (_A,) else []


def _items(lines: Sequence[str]) -> list[_Found]:
    """The items of minutes, of which most have a heading."""
    full = _FULL * max(map(len, lines), default=0)
    found = [one for one in _candidates(lines, partial(_item, full=full)) if len(one.number) == 1]
    chain = _chain(found)
    headed = sum(bool(one.heading.said) for one in chain)
    exact = all(after.number[0] == one.number[0] + 1 for one, after in itertools.pairwise(chain))
    enough = len(chain) >= _LEAST_ITEMS and len(chain) == len(found) and 2 * headed >= len(chain)
    return chain if enough and exact and chain[0].number == (1,) else []


def _candidates(
    lines: Sequence[str],
    read: Callable[[Sequence[str], re.Match[str]], Heading | None],
    pattern: re.Pattern[str] = _NUMBERED,
) -> list[_Found]:
    """Paragraphs that begin with a number, but for those of a table of contents."""
    found = list[_Found]()
    for start, end in _paragraphs(lines):
        begun = pattern.match(lines[start])
        if not begun or any(map(pattern.match, lines[start + 1 : end])):
            continue
        if (heading := read(lines[start:end], begun)) is not None:
            found.append(
                _Found(start, _number(begun["number"]), begun["number"] + begun["stop"], heading)
            )
    last = {(one.number, one.heading.said.casefold()): one.place for one in found}
    found = [one for one in found if last[one.number, one.heading.said.casefold()] == one.place]
    below = zip(found, [*found[1:], None], strict=False)
    return [one for one, after in below if _heads(lines, one, after)]


def _heads(lines: Sequence[str], one: _Found, after: _Found | None) -> bool:
    """Whether text stands below a heading, or a section of it, and not the next item of a list."""
    if after is None or not one.heading.lines or after.number[: len(one.number)] == one.number:
        return True
    return any(
        line and not RULE.fullmatch(line)
        for line in lines[one.place + one.heading.lines : after.place]
    )


def _paragraphs(lines: Sequence[str]) -> list[tuple[int, int]]:
    """(first line, one past the last) of each; a rule ends one."""
    runs = itertools.groupby(
        range(len(lines)), lambda at: bool(lines[at]) and not RULE.fullmatch(lines[at])
    )
    places = (list(run) for filled, run in runs if filled)
    return [(run[0], run[-1] + 1) for run in places]


def _number(written: str) -> Number:
    """A number by its parts; "2.0" is the second chapter's, but "A.0" the first section of "A"."""
    first, *others = written.split(".")
    if first.isalpha():
        return ord(first), *map(int, others)
    parts = tuple(map(int, (first, *others)))
    return parts[:-1] if len(parts) > 1 and not parts[-1] else parts


def _alone(block: Sequence[str], begun: re.Match[str]) -> Heading | None:
    """The heading that a paragraph is, or that its first line is over what is set in deeper."""
    if "." not in begun["number"] and not begun["stop"]:
        return None  # "3 pumps"
    if over := _over(block, begun):
        return over
    block = [block[0], *itertools.takewhile(lambda line: not _FIELD.match(line), block[1:])]
    said = " ".join([begun["said"], *(line.strip() for line in block[1:])])
    said = _STARS.sub("", said)
    plain = said.endswith("?") or not (_STOPPED.search(said) or _LEADER.search(said))
    short = len(block) <= _LINES and len(said.split()) <= _WORDS and len(said) <= MAX_HEADING
    begins = "." in begun["number"] or not said[0].islower()
    return Heading(len(block), said) if plain and short and begins else None


def _over(block: Sequence[str], begun: re.Match[str]) -> Heading | None:
    """The first line of a paragraph as the heading of all others, which are set in deeper."""
    first, *others = block
    left = len(first) - len(first.lstrip())
    deeper = [line for line in others if len(line) - len(line.lstrip()) > left]
    if not others or len(deeper) < len(others) or _STOPPED.search(first):
        return None
    word = others[0].split(None, 1)[0]
    wrapped = len(first) + 1 + len(word) > _BROKEN * max(map(len, others))
    if (wrapped and not _ITEM.match(others[0])) or len(begun["said"].split()) > 2 * _LABEL_WORDS:
        return None
    return Heading(1, begun["said"])


def _above(block: Sequence[str], begun: re.Match[str], full: float) -> bool:
    """Whether the first line of a paragraph is the name of what its sentences speak of.

    "5. Slipway" over "The concrete has cracked. …", not "5. The concrete of the" over "Slipway …".
    """
    first, *others = block
    short = len(begun["said"].split()) <= 2 * _LABEL_WORDS and not _STOPPED.search(first)
    if not others or not short or begun["said"][0].islower() or breaks_off(first):
        return False
    wrapped = len(first) + 1 + len(others[0].split(None, 1)[0]) > full
    below = others[0].lstrip()
    return not wrapped and below[0].isupper() and _SENTENCE.search(others[-1]) is not None


def _item(block: Sequence[str], begun: re.Match[str], full: float) -> Heading | None:
    """The heading of an item: a line over it, or the words before a dash or colon, or none.

    Args:
        full: characters that a line has at least that goes on in the next one.
    """
    if not begun["stop"]:
        return None
    over = _over(block, begun)
    if over or _above(block, begun, full):
        return Heading(1, begun["said"], is_item=True)
    label = _LABEL.match(begun["said"])
    said = (label[1] or label[2]) if label else ""
    return Heading(0, said if len(said.split()) <= _LABEL_WORDS else "", is_item=True)


def _chain(found: Sequence[_Found]) -> list[_Found]:
    """The longest run of which each follows the one before, with few gaps."""
    if not found:
        return []
    best: list[tuple[float, int]] = []  # how good the best run is that ends here; the one before
    for at, one in enumerate(found):
        behind = (
            (best[place][0] + link, -place)
            for place in range(max(0, at - _BACK), at)
            if (link := _link(found[place].number, one.number))
        )
        score, before = max(behind, default=(0.0, 1))
        best.append((score + (before > 0), -before))
    at = max(range(len(best)), key=lambda place: best[place][0])
    chain = list[_Found]()
    while at >= 0:
        chain.append(found[at])
        at = best[at][1]
    return chain[::-1]


def _link(before: Number, after: Number) -> float:
    """How well a number follows another: 3.2, 4 or 3.1.1 follow 3.1 as they should, 3.4 loosely."""
    level = next((n for n, part in enumerate(after) if before[n : n + 1] != (part,)), -1)
    if level < 0 or level > len(before) or any(part > 1 for part in after[level + 1 :]):
        return 0.0
    if level == len(before) and not after[level]:
        return 1.0  # "A.0" below "A"
    more = after[level] - (before[level] if level < len(before) else 0)
    return (1.0 if more == 1 else _LOOSE) if 0 < more <= _GAP else 0.0


def is_numbered(line: str, told: Mapping[int, Heading]) -> bool:
    """Whether a line is numbered, but is none of the headings that a text is known to have."""
    return bool(told) and _NUMBERED.match(line) is not None
