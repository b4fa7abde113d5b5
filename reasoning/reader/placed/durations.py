"""Whether a stretch of time is no length of what a question asks the length of."""

import re

from ....kg.text.words import stems
from ..asked.question import Asked
from ..candidates import Mention
from ..pages import Page

_UNITS = "second|minute|hour|day|night|week|month|year"
_TIME = re.compile(rf"\b(?:{_UNITS})s?\b(?:\s([a-z]+))?")
_ANY_TIME = frozenset({"period", "time", "span", "window", "interval"})
_BACK = re.compile(r"(?:that|this|these|those)\s(?:same\s)?\Z", re.IGNORECASE)
_ADDED = re.compile(r"\b(?:additional|extra|more)\b(?! than)", re.IGNORECASE)
_ADDED_BEFORE = re.compile(r"\b(?:additional|extra)\s\Z", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\b(?:after\w*|since|more|longer|additional\w*|extra|beyond|then|again|remain\w*|exten\w+)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(exten|lengthen|shorten|increas|decreas|reduc|var[iy]|delay|postpon|prolong|chang)\w*\b"
    r"[^.;]*\sby\s(?:(?:up\sto|at\sleast|at\smost|about|another|an?)\s)*\Z",
    re.IGNORECASE,
)
_SINGULAR = re.compile(rf"(\D*\d+)[ -]({_UNITS})")
_LONGEST = 120  # characters of a clause before it


def is_no_length(asked: Asked, page: Page, mention: Mention, text: str) -> bool:
    """Whether it is how long another thing takes, or by how much a time is longer.

    "That 24 hour period" was told before, and of what; "24 additional hours", or what a time is
    "extended by", come to it.
    """
    if asked.form != "long" or not mention.end or _TIME.search(text) is None:
        return False
    start = page.text.find(text.split(" ")[0], mention.start, mention.end)
    before = page.text[page.starts[mention.sentence] : max(start, mention.start)]
    if _BACK.search(before) and not _is_thing_asked(asked, page, start):
        return True
    if not _GOES_ON.search(asked.text) and (_ADDED.search(text) or _ADDED_BEFORE.search(before)):
        return True
    changed = _CHANGED.search(before[-_LONGEST:])
    return changed is not None and changed[1].lower() not in asked.text.lower()


def _is_thing_asked(asked: Asked, page: Page, start: int) -> bool:
    """Whether a stretch of time is said of a thing of the question: "this 3 week course"."""
    time = _TIME.search(page.text, max(0, start))
    thing = time[1] if time else None
    return thing is not None and thing not in _ANY_TIME and bool(asked.stems & set(stems(thing)))


def in_plural(asked: Asked, text: str) -> str:
    """A length as it is said alone: "24 hours" of "a 24-hour period"."""
    single = _SINGULAR.fullmatch(text) if asked.form == "long" else None
    if single is None or re.search(r"(?<!\d)1\Z", single[1]):
        return text
    return f"{single[1]} {single[2]}s"
