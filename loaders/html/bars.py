"""What leads through pages, or asks for consent, and is no text, in HTML and elsewhere."""

import re
from collections.abc import Sequence

from ..tables import Cell

_BAR = re.compile(
    r"(?=.*\bprev)(?=.*\bnext)[\W_]*(?:(?:prev(?:ious)?|next|up|home|index|contents|top|back)\b"
    r"(?: page)?[\W_]*){2,}",
    re.I | re.S,
)
_ASKS = re.compile(  # at the end of a page; of one that opens it, before it is seen
    r"was this (?:page|article|answer) (?:helpful|useful)\?[\W_]*(?:yes\W+no)?[\W_]*"
    r"|(?=.{0,200}\bcookies\b)(?:we|this (?:web)?site|this page|our (?:web)?site)\b.{0,300}\b"
    r"(?:accept|agree|allow|got it|decline|reject|ok|okay)(?: all| cookies){0,2}[\W_]*",
    re.I | re.S,
)
_BELOW = re.compile(  # at the end of a page: whom to follow, by whom it is without a name
    r"(?:follow|like|tweet) (?:us|@\w+)(?: on \w+)?[\W_]*"
    r"|(?:article|page|document) (?:written|created|maintained) by\W*",
    re.I,
)
_PAGES = re.compile(r"[\W_]*(?:prev(?:ious)?|next|up|home|contents|toc)[\W_]*", re.I)
LONGEST_BAR = 400  # characters of one
_BARS = 80  # … that has no sentence
_ROWS, _CELLS = 2, 3  # of a table that leads through the pages


def is_bar(text: str) -> bool:
    """Whether a block only says where other pages are, or asks who reads it.

    To agree to cookies, say, or what the page was like.
    """
    bar = len(text) <= _BARS and _BAR.fullmatch(text)
    return bool(bar or (len(text) <= LONGEST_BAR and _ASKS.fullmatch(text)))


def end_of(text: str) -> int:
    """Where a page's text ends without the bars below it, which stand in no block."""
    while is_bar(last := text.rstrip().rpartition("\n")[2].strip()) or _BELOW.fullmatch(last):
        text = text.rstrip().rpartition("\n")[0]
    return len(text)


def is_through(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a table leads to the pages before and after, as DocBook's does: names below."""
    if not rows or len(rows) > _ROWS or max(map(len, rows)) > _CELLS:
        return False
    first = [cell.text for cell in rows[0] if cell.text]
    return len(first) > 1 and all(map(_PAGES.fullmatch, first))
