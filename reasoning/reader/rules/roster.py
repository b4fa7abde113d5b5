"""The rule for "Who is on duty on 25 December?", where a line "24 to 26 December: Ann" says so."""

import re
from collections.abc import Iterator

from ....kg.text.words import stems, words
from ..asked.alike import alike
from ..asked.dates import MONTHS, days_of
from ..pages import Evidence, Page
from .rulings import REPLY, Ruling
from .statement import BYGONE

_LINE = re.compile(
    r"^[ \t]*(?:[*•–-] )?(?P<days>[^:\n]{3,45}?)(?::| [–—-])[ \t]+(?P<told>[^\n:;]{2,60}?)[ .]*$",
    re.MULTILINE,
)
_PIECE = re.compile(
    rf"(?P<month>{'|'.join(MONTHS)})[a-z]*\.?|(?P<year>[12]\d{{3}})|(?P<day>\d\d?)(?:st|nd|rd|th)?"
    r"|(?P<to>to|till|until|through|-|–)|and|&|,|/|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(who|whose|what|which)\b", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: (?:(?:and|&|de|van|von) )?[^\W\d_a-z][\w.'’-]*){0,5}")
_DUTY, _ROTA = frozenset(stems("duty call shift turn")), frozenset(stems("duty rota roster shift"))
_LEAD = 300  # characters above a list that may say what it is of
_IN_MONTH = 31


def by_roster(evidence: Evidence) -> Ruling | None:
    """Answer by the one line of a list that is of the day asked about, or of days around it.

    Title, heading or what leads to the list has to say the rest of the question.
    """
    asked = evidence.asked
    days = {(one.year, one.month, one.day) for one in days_of(asked.text)}
    asks = _ASKS.match(asked.text)
    if len(days) != 1 or asks is None:
        return None
    [(year, month, day)] = days
    told: dict[tuple[str, ...], Ruling] = {}
    for page in evidence.pages:
        for found in _lines(page, evidence):
            if not _holds(found["days"], month, day) or not _of_year(page, found["days"], year):
                continue
            if asks[1].lower().startswith("who") and not _NAME.fullmatch(found["told"]):
                return None
            read = page, page.sentence_at(found.start("told"))
            told.setdefault((*words(found["told"]),), Ruling(found["told"], REPLY, read=read))
    return next(iter(told.values())) if len(told) == 1 else None


def _lines(page: Page, evidence: Evidence) -> Iterator[re.Match[str]]:
    """The lines of a list by days that is of what is asked about."""
    found = [one for one in _LINE.finditer(page.text) if _spans(one["days"])]
    above = f"{page.passage.title}\n{page.passage.heading}"
    if not found or BYGONE.search(above):
        return
    first = found[0].start()
    said = frozenset(stems(f"{above}\n{page.text[max(0, first - _LEAD) : first]}"))
    days = (evidence.asked.text[one.start : one.end] for one in days_of(evidence.asked.text))
    wanted = evidence.asked.stems - frozenset(stems(" ".join(days)))
    met = {stem for stem in wanted if not said.isdisjoint(alike(stem))}
    met |= wanted & _DUTY if said & _ROTA else set()
    if wanted and wanted <= met:
        yield from found


def _spans(text: str) -> list[tuple[int, int]]:
    """The spans of days that a label names, from first to last; none where it says more."""
    pieces = [*_PIECE.finditer(text)]
    if _PIECE.sub("", text).strip() or not any(one["month"] for one in pieces):
        return []
    found: list[tuple[int, int]] = []
    month, through = 0, False
    behind = [n for n, one in enumerate(pieces) if one["month"]]
    for n, one in enumerate(pieces):
        if one["day"]:
            own = next((k for k in behind if k > n), behind[-1])
            month = MONTHS.index(pieces[own]["month"].casefold()) + 1
            number = month * _IN_MONTH + int(one["day"])
            found.append((found.pop()[0] if through and found else number, number))
        through = bool(one["to"]) or (through and not one["day"])
    return found


def _holds(label: str, month: int, day: int) -> bool:
    """Whether a label's days are, or have among them, a day; "28 December to 2 January" as well."""
    number = month * _IN_MONTH + day
    return any(
        first <= number <= last if first <= last else number >= first or number <= last
        for first, last in _spans(label)
    )


def _of_year(page: Page, label: str, year: int) -> bool:
    """Whether a label, or else its page, says the year that is asked about, if one is."""
    own = re.findall(r"\b[12]\d{3}\b", label)
    said = own or re.findall(r"\b[12]\d{3}\b", f"{page.passage.title} {page.text}")
    return not year or str(year) in said
