"""What was so until some time, where what is now is asked for, or the reverse."""

import re

from ..candidates import Mention
from ..pages import Page
from .contrast import MOVED, MOVES

_NOW = re.compile(r"\b(?:today|now|nowadays|currently|at present|these days)\b", re.IGNORECASE)
_IS_NOW = re.compile(r"\b(?:is|are) (?:now|currently) (?:[a-z]+ )?\Z")
_PAST = re.compile(r"\b(?:until|till|formerly|used to|no longer)\b", re.IGNORECASE)
_LATEST = re.compile(
    rf"{_NOW.pattern}|\b(?:current|latest|newest|most recent|in force|valid)\b", re.IGNORECASE
)
_SUPERSEDES = re.compile(  # not "replaces it from 3 May on"
    r"\b(?:supersed|replac)(?:es|ing)\b(?!\s+by\b)"
    r"(?:(?!\b(?:from|since|as of|effect\w*)\b)[^;])*\Z",
    re.IGNORECASE,
)
_REPLACING = re.compile(r"\b(?:supersed|replac)", re.IGNORECASE)
_ASKS_CHANGE = re.compile(
    rf"\bhow\b.*\b(?:{MOVES})\b|\bdifference\b|\bfrom (?:what|which|when)\b", re.IGNORECASE
)
_HAS_MOVED = re.compile(  # not "goes from 8 to 10", nor "extends from 3 May to 9 May"
    r"\b(?:moved|changed|raised|rose|risen|increased|decreased|reduced|cut|dropped|fell|fallen|lowered"
    r"|correct(?:ed|ing)|amend(?:ed|ing)|revis(?:ed|ing)|grew|grown|switched|postponed|delayed"
    r"|brought forward|put (?:back|off))\b[^.;:]{0,60}? from (?:\w+ )?\Z"
)
_FIGURES = re.compile(r"(?:from )?(\D*\d.*) to (.*\d.*)")
_LONGEST_MOVE = 120  # characters before what moved
_TO = re.compile(r"[^.,;:]{0,30}? to ")
_BEFORE = re.compile(
    r"\b(?:from|before|previous\w*|former\w*|old|originally|used to|first)\b", re.I
)
AT_FIRST = re.compile(
    r"\b(?:before|previous\w*|former\w*|old|original\w*|used to|at first)\b", re.I
)


def was_until(asked: str, page: Page, mention: Mention, found: str) -> bool:
    """Whether its clause says what was until some time, where what is now is asked for.

    Also what has changed: of "moved from 12 July to 19 July" the first, unless that is asked.
    """
    first, text = page.starts[mention.sentence], page.texts[mention.sentence]
    start, end = mention.start - first, mention.end - first
    if is_superseded(page, mention) and _LATEST.search(asked) and not _REPLACING.search(asked):
        return True
    both = _both_ends(page, mention, found) is not None
    moved = mention.end and not _BEFORE.search(asked) and not both
    if moved and (" to " in found or _TO.match(text, end)) and _is_moved(text[:start]):
        return True
    if not _NOW.search(asked):
        return False
    if not mention.end:
        return bool(_PAST.search(text))
    begin = max(map(text[:start].rfind, ",;")) + 1
    ends = [place for mark in ",;" if (place := text.find(mark, end)) >= 0]
    return bool(_PAST.search(text, begin, min(ends, default=len(text))))


def is_superseded(page: Page, mention: Mention) -> bool:
    """Whether it is told of what another thing has replaced: "supersedes Version 1.8 of 28 May"."""
    before = page.text[page.starts[mention.sentence] : mention.start] if mention.end else ""
    return _SUPERSEDES.search(before) is not None


def came_to(asked: str, page: Page, mention: Mention, found: str) -> str:
    """What something is, of what was found with what it was: "corrected from £3 to £5"; or "".

    Or what it was, where that is asked for.
    """
    both = _both_ends(page, mention, found)
    if both is None or _ASKS_CHANGE.search(asked):
        return ""
    if AT_FIRST.search(asked):
        return both[1]
    return "" if _BEFORE.search(asked) else both[2]


def _both_ends(page: Page, mention: Mention, found: str) -> re.Match[str] | None:
    """What something was and what it came to, where both were found: "£3 to £5"."""
    before = page.text[page.starts[mention.sentence] : mention.start] if mention.end else ""
    before += "from " if found.startswith("from ") else ""
    moved = _HAS_MOVED.search(before[-_LONGEST_MOVE:])
    return _FIGURES.fullmatch(found) if moved else None


def new_value(page: Page, mention: Mention) -> int | None:
    """Where that begins which something came to, behind what it was: "from £3 to £5"."""
    first, text = page.starts[mention.sentence], page.texts[mention.sentence]
    behind = _TO.match(text, mention.end - first) if mention.end else None
    moved = behind is not None and _is_moved(text[: mention.start - first])
    return first + behind.end() if behind and moved else None


def _is_moved(before: str) -> bool:
    """Whether a text ends in "was moved from"."""
    return MOVED.search(before[-_LONGEST_MOVE:]) is not None


def is_now(asked: str, page: Page, mention: Mention) -> bool:
    """Whether it is what is so now, where it is asked what was before: "is now 8443 (was 8080)"."""
    if not mention.end or not AT_FIRST.search(asked):
        return False
    return _IS_NOW.search(page.text[page.starts[mention.sentence] : mention.start]) is not None
