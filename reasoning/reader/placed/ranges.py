"""From when to when: which end of it a question asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ....kg.extraction.mentions import MONTH
from .contrast import MOVED

_WEEKDAY = r"(?:(?:Good )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,? )?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:{_WEEKDAY}(?:the )?{_DAY}(?: of)? {MONTH}(?:,? \d{{4}})?"
    rf"|{_WEEKDAY}{MONTH} {_DAY}\b(?:,? \d{{4}})?|{_WEEKDAY}{MONTH}(?: \d{{4}})?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4}|(?:1[5-9]|20)\d\d)"
)
_HALF = r" ?[apAP](?:\.m\.|[mM]\b)"
_CLOCK = rf"(?:\d{{1,2}}[.:]\d\d(?:{_HALF})?|\d{{1,2}}(?:{_HALF}| o['’]clock)|noon\b|midnight\b)"
_TOLD = rf"(?:{_DATE}(?: at {_CLOCK})?|{_CLOCK}(?: on {_DATE})?)"
_BARE = rf"{_WEEKDAY}(?:the )?{_DAY}\b"
_END = rf"(?:{_TOLD}|{_BARE})"
_TO = r" (?:to|until|till|through)"
_BEGIN, _STOP = r"(?<![\w.:/-])", r"(?![\w:/]|[.,]\d)"
_RANGE = re.compile(
    rf"{_BEGIN}(?:(?:[Ff]rom|[Bb]etween) )?(?:(?P<first>{_TOLD})(?:{_TO} (?:and including )?"
    rf"| ?[–—-] ?)(?P<last>{_END})|(?P<bare>{_BARE})(?:{_TO} (?:and including )?| ?[–—-] ?)"
    rf"(?P<end>{_TOLD})){_STOP}"
)
_LED = re.compile(  # "from 10 to 18", "between 2 May and 4 May"
    rf"{_BEGIN}(?:[Ff]rom (?P<first>{_END}){_TO}|[Bb]etween (?P<begin>{_END}) and)"
    rf" (?P<last>{_END}){_STOP}"
)
_MONTH_IN = re.compile(MONTH)
_LONGEST_MOVE = 120  # characters before what moved
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?")
_SHOWN = r"(?:air|broadcast|show|publish|appear)(?:s|ed|n)?"
_BEGINS = re.compile(
    r"\b(?:(?:beg[iau]ns?|beginning|start(?:s|ed|ing)?)\b(?! of)|commence[sd]?\b|first day\b"
    r"|(?:since|from) when\b|from (?:what|which)\b"
    rf"|(?:first|originally) {_SHOWN}\b|premi[eè]re[sd]?\b|debut(?:s|ed)?\b"
    r"|(?:join|launch)(?:s|es|ed)?\b|t(?:ake|akes|ook) office\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?<![\w-])(?:(?:ends?|ended|finish(?:es|ed)?)\b(?! of)|last day\b|expires?d?\b"
    r"|(?:until|till) (?:when|what|which)\b|to when\b"
    rf"|last {_SHOWN}\b|(?:cease|retire|resign)(?:s|d|ed)?\b|le(?:ave|aves|ft) office\b"
    r"|steps? down\b|stepped down\b)",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\b(?:reopen\w*|open(?:s|ed)? again)\b", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:do|does|did|will|shall)\b.*\b(open|close|shut)\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except\w*|unless|apart from|other than|but)\b", re.IGNORECASE)
_WHAT_TIME = re.compile(r"\bwhat (?:time|hour)\b", re.IGNORECASE)
_STATE = re.compile(
    r"\b(?:(open(?:s|ed|ing)?|hours)|(clos(?:e[sd]?|ing|ure)|shut|out of (?:use|order|service)))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Range:
    """Where a text says from when to when: characters [start, end), and both ends in words."""

    start: int
    end: int
    first: str
    last: str

    @property
    def of_hours(self) -> bool:
        """Whether it is from one time of the day to another."""
        return not any(
            _MONTH_IN.search(one) or re.search(r"\d{4}|[/-]", one)
            for one in (self.first, self.last)
        )


def range_around(text: str, start: int, end: int) -> Range | None:
    """Find the range that a stretch of a text is, or stands in."""
    return next((one for one in _ranges(text) if one.start <= start < end <= one.end), None)


def end_asked(asked: str, text: str, one: Range) -> str | None:
    """Tell which end of a range a question asks for.

    Args:
        text: the sentence that says it.

    Returns:
        That end; "" where the question asks for another time than the sentence tells, such as when
        it opens of what is closed; None where it asks for no end, or there are exceptions.
    """
    hours = one.of_hours or re.search(_CLOCK, f"{one.first} {one.last}")
    if _EXCEPT.search(text, one.end) or (_WHAT_TIME.search(asked) and not hours):
        return None
    begins, ends = _BEGINS.search(asked), _ENDS.search(asked)
    turns, state = _TURNS.search(asked), _state_at(text, one)
    if _AGAIN.search(asked):
        return "" if state == "closed" else None
    if begins and ends:
        return None
    if begins or ends:
        wanted = _state_of(asked)
        if wanted and state and wanted != state:
            return ""
        return one.first if begins else one.last
    if turns is None:
        return None
    opens = turns[1].lower() == "open"
    if opens and state == "closed":
        return ""
    if opens or state == "closed":
        return one.first if state or one.of_hours else None
    return one.last if state or one.of_hours else None


def _state_of(text: str) -> str:
    found = _STATE.search(text)
    return "" if found is None else "open" if found[1] else "closed"


def _state_at(text: str, one: Range) -> str:
    """Whether a range is of what is open or closed, by the nearest word before it, or behind."""
    begin = max(text.rfind(mark, 0, one.start) for mark in ";\n") + 1
    before = list(_STATE.finditer(text, begin, one.start))
    if before:
        return "open" if before[-1][1] else "closed"
    stop = text.find(";", one.end)
    return _state_of(text[one.end : stop if stop >= 0 else len(text)])


def _ranges(text: str) -> Iterator[Range]:
    for pattern in (_LED, _RANGE):
        for found in pattern.finditer(text):
            if MOVED.search(text[max(0, found.start() - _LONGEST_MOVE) : found.start()] + "from "):
                continue  # "moved from 3 May to 9 May"
            parts = found.groupdict()
            first = parts["first"] or parts.get("begin") or parts.get("bare") or ""
            last = parts["last"] or parts.get("end") or ""
            yield Range(*found.span(), *_filled(first, last))


def _filled(first: str, last: str) -> tuple[str, str]:
    """Both ends in full: "7 to 19 September" begins on 7 September, "8 to 10 am" at 8 am."""
    bare = [re.fullmatch(_BARE, one) is not None for one in (first, last)]
    if bare == [True, False] and (_MONTH_IN.search(last) or re.search(r"\d ?a\.?m", last)):
        number = _NUMBER.search(last)
        if number is not None and (behind := last[number.end() :]):
            first += behind
        elif month := _MONTH_IN.search(last):
            first = f"{month.group()} {first}"
    elif bare == [False, True] and (month := _MONTH_IN.search(first)):
        number = _NUMBER.search(first)
        if number is not None and number.start() > month.start():
            last = f"{month.group()} {last}"
    return first, last
