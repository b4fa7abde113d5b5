"""Whether a clause tells of the days, or a figure of the year, that the question asks about."""

import functools
import re
from collections.abc import Iterator

from ..asked.question import Asked
from ..candidates import Mention
from ..pages import Page

_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = (
    r"(?:mon(?:days?)?|tue(?:s(?:days?)?)?|wed(?:nesdays?|s)?|thu(?:rs?(?:days?)?)?|fri(?:days?)?"
    r"|sat(?:urdays?)?|sun(?:days?)?)"
)
_RANGE = re.compile(rf"(?i)\b({_DAY})\.? ?(?:[-–]|to|till|until|through) ?({_DAY})\b")
_ONE = re.compile(rf"(?i)\b({_DAY})\b(?! \d)")
_WEEKDAYS, _WEEKEND = re.compile(r"(?i)\bweek ?days?\b"), re.compile(r"(?i)\bweek-?ends?\b")
_BUT = re.compile(
    rf"(?i)\b(?:except(?:ing)?|apart from|other than|but not|not)(?: on| at)?(?: {_DAY}| weekends?)"
    rf"(?:(?:,| and| or) {_DAY})*"
)
_EVERY = re.compile(r"(?i)\b(?:daily|every day|all days|seven days|all week)\b")
_CLAUSES = re.compile(r";\s|\.\s|\n|\s[–-]\s|,? (?:but|while|whereas)\b|, (?:and )?(?=(?:on|at) )")
_YEAR = r"(?:1[5-9]|20)\d\d"
_OF_YEAR = re.compile(
    rf"(?<![\w.,])(\d[\d.,]*\d|\d)(?: [a-z]\w*){{0,2}} (?:in|for|\() ?({_YEAR})\b"
)


@functools.lru_cache(maxsize=1 << 12)
def days(text: str) -> frozenset[int]:
    """Return the days of the week that a text names, 0 for Monday; of "weekdays" all five."""
    text = _BUT.sub(" ", text)
    if _EVERY.search(text):
        return frozenset(range(7))
    found = set[int]()
    for first, last in _RANGE.findall(text):
        a, b = _number(first), _number(last)
        found.update(range(a, b + 1) if a <= b else (*range(a, 7), *range(b + 1)))
    found.update(map(_number, _ONE.findall(text)))
    found.update(range(5) if _WEEKDAYS.search(text) else ())
    found.update((5, 6) if _WEEKEND.search(text) else ())
    return frozenset(found)


def of_other_days(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether its clause tells of other days than the question: "weekdays", not "Saturdays"."""
    wanted = days(asked.text)
    if not mention.end or not wanted or wanted == frozenset(range(7)):
        return False
    first, last = _clause(page, mention)
    own = days(page.text[first:last])
    return bool(own) and not days(page.text[mention.start : mention.end]) and not own & wanted


def clause_of_days(asked: Asked, page: Page, mention: Mention) -> tuple[int, int] | None:
    """Find where the sentence tells of the days asked about, if elsewhere than where it stands."""
    if not of_other_days(asked, page, mention):
        return None
    wanted = days(asked.text)
    parts = _parts(page, mention.sentence)
    return next((part for part in parts if wanted & days(page.text[slice(*part)])), None)


def figure_of_year(asked: Asked, page: Page, mention: Mention) -> tuple[int, int] | None:
    """Find the figure that a sentence gives for the year asked about, where it is another's own.

    Of "1,486 in 1841, against 690 in 1801" only 690 is of 1801.
    """
    years = set(re.findall(rf"\b{_YEAR}\b", asked.text))
    if (
        not mention.end
        or len(years) != 1
        or asked.kind == "date"
        or mention.sentence in page.fields
    ):
        return None
    first, text = page.starts[mention.sentence], page.texts[mention.sentence]
    told = [
        (first + found.start(1), first + found.end(1))
        for found in _OF_YEAR.finditer(text)
        if found[2] in years
    ]
    figures = any(map(str.isdigit, page.text[mention.start : mention.end]))
    if len(told) != 1 or not figures:
        return None
    [(start, end)] = told
    return None if mention.start < end and start < mention.end else (start, end)


def _number(day: str) -> int:
    return _NAMES.index(day[:3].lower())


def _clause(page: Page, mention: Mention) -> tuple[int, int]:
    parts = _parts(page, mention.sentence)
    return next((part for part in parts if part[0] <= mention.start < part[1]), (0, 0))


def _parts(page: Page, sentence: int) -> Iterator[tuple[int, int]]:
    first, text = page.starts[sentence], page.texts[sentence]
    start = 0
    for found in _CLAUSES.finditer(text):
        yield first + start, first + found.start()
        start = found.end()
    yield first + start, first + len(text)
