"""What was so until some time, where what is now is asked for, or the reverse."""

import re

from ..candidates import Mention
from ..pages import Page
from .contrast import MOVED

_NOW = re.compile(r"\b(?:today|now|nowadays|currently|at present|these days)\b", re.IGNORECASE)
_IS_NOW = re.compile(r"\b(?:is|are) (?:now|currently) (?:[a-z]+ )?\Z")
_PAST = re.compile(r"\b(?:until|till|formerly|used to|no longer)\b", re.IGNORECASE)
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
    moved = mention.end and not _BEFORE.search(asked)
    moved = moved and (" to " in found or _TO.match(text, end))
    if moved and MOVED.search(text[max(0, start - _LONGEST_MOVE) : start]):
        return True
    if not _NOW.search(asked):
        return False
    if not mention.end:
        return bool(_PAST.search(text))
    begin = max(map(text[:start].rfind, ",;")) + 1
    ends = [place for mark in ",;" if (place := text.find(mark, end)) >= 0]
    return bool(_PAST.search(text, begin, min(ends, default=len(text))))


def is_now(asked: str, page: Page, mention: Mention) -> bool:
    """Whether it is what is so now, where it is asked what was before: "is now 8443 (was 8080)"."""
    if not mention.end or not AT_FIRST.search(asked):
        return False
    return _IS_NOW.search(page.text[page.starts[mention.sentence] : mention.start]) is not None
