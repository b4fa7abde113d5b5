"""What a sentence only compares with, and what another notice has changed or taken back."""

import re
from collections.abc import Iterator, Sequence

from ....kg.extraction.mentions import MONTH
from ....kg.text.words import stems
from ..pages import Page

_THAN = re.compile(
    r"\b(than|as (?:many|much|large|big|old|long|high|tall|wide|deep|heavy|fast|often|expensive) as"
    r"|compared (?:with|to)|in comparison (?:with|to)|except(?:ing)?|excluding|apart from)\b"
    r"[^.,;:]{0,30}?\Z",
    re.IGNORECASE,
)
_AGAINST = re.compile(r"\b(against|(?:up|down) from)\b[^.,;:]{0,30}?\Z", re.IGNORECASE)
"""Before a year alone: a match is played against a club."""
_COMPARES = re.compile(
    r"\b(?:than|as [a-z]+ as|compared|comparison|against|up|down|except\w*|excluding|apart)\b",
    re.IGNORECASE,
)
_SET_AGAINST = re.compile(
    r"\b(before|after|instead of|rather than|unlike|no longer(?: \w+){0,2}|in contrast to"
    r"|as opposed to|t(?:ake|akes|aking|aken|ook) over\b[^.;:]{0,40}? from) "
    r"(?:(?:the|an?|its|his|her|their|first|last) )*\Z",
    re.IGNORECASE,
)
"""Before what a sentence sets against what it speaks of: "unlike A, B …"."""
_SUCCEEDS = re.compile(
    r"\bdid\b.*\b(?:replace|succeed|follow)\b|\bpredecessor"
    r"|\bwhose (?:place|job|role|post|office|seat)\b",
    re.IGNORECASE,
)
"""Asks whom somebody took over from, in other words."""
_LONGEST_AGAINST = 80  # characters
_CONDITION = re.compile(r"\b(unless|if|when) ([^,;:.?!]+)", re.IGNORECASE)
_LONGEST = 60  # characters from such a word to what is compared with
_TAKEN_BACK = re.compile(
    r"(?:\b(?:instead of|rather than|no longer)(?: [\w'’-]+){0,2} ?"
    r"|(?:\b(?:not|never)|n['’]t)(?: [\w'’-]+){0,2}(?: (?:on|at|by|in|from|to))? ?)\Z",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"\b(?:only|just|more|less|fewer|later|earlier|before|after|until|till|than|since|above|below"
    r"|over|under|within|least|all|always|exceed\w*|beyond|any)\b",
    re.IGNORECASE,
)
"""Denies no date: "not later than 21 July", "not before May", "not only on Fridays"."""
MOVES = (
    r"moved?|chang\w+|renamed?|rais\w+|ris\w+|rose|increas\w+|decreas\w+|reduc\w+|cut|dropp?\w*|fell"
    r"|lower\w*|correct\w+|amend\w+|revis\w+|grow\w*|grew|switch\w*|relocat\w+|postpon\w+"
    r"|transferr?\w*|went|goes|extended|delay\w*|brought forward|put (?:back|off)|push\w*"
)
MOVED = re.compile(  # "moved from 12 July to 19 July"
    rf"\b(?:{MOVES})\b[^.;:]{{0,60}}? from (?:\w+ )?\Z"
)
_DATED = re.compile(rf"{MONTH}|\d[:.]\d\d", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:supersed\w+|replaces (?:the|our|all)|ha(?:s|ve)(?: been)? changed|postponed|put off"
    r"|rescheduled|updated?|correct(?:ed|ion)|new (?:date|time|price|fee|day|deadline|term)s?)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"\b(?:nobody|no[ -]one|none) \Z", re.IGNORECASE)
_DENIES = re.compile(
    r"n['’]t\b|\b(?:not|never|nobody|no one|cannot|forbidden|banned)\b", re.IGNORECASE
)
_SHOULD = re.compile(
    r"\b(?:should|must|ought|supposed|right|correct|ideal|recommended|proper)\b", re.IGNORECASE
)
_TOO = re.compile(
    r"\W{0,4}(?:(?:which|that|and) )?(?:is |was |['’]s )?(?:far |much |still |a (?:bit|little) )?"
    r"too \w+",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:will now|(?:is|are) now|now (?:be|is|are)|from now on)\b", re.IGNORECASE)
_ABOVE = re.compile(r"(?i:\b(?:change[ds]?|revised|amended|new version)\b|\(new\b)|\bNEW\b")
"""Tells so in a title; in a sentence all sorts of things change, and books are revised."""


def sets_against(asked: str, before: str) -> bool:
    """Whether a text ends in what sets the next against it: "unlike", where no question says so."""
    found = _SET_AGAINST.search(before[-_LONGEST_AGAINST:])
    if found is None or (found[1][0] in "tT" and _SUCCEEDS.search(asked)):
        return False
    return found[1].split()[-1].lower() not in re.findall(r"\w+", asked.lower())


def compared_with(asked: str, called: Sequence[str], text: str, start: int) -> bool:
    """Whether a sentence says a name or year of the question only behind a "than" or "except".

    "186,400 passengers, 6 % more than in 2023" are not those of 2023, nor are "40 staff, twice as
    many as in Nantes" those of Nantes, nor is "from 8.45 am, except on Wednesdays" an hour of
    Wednesdays.

    Args:
        asked: the question, which may ask for the comparison itself.
        called: its names.
        start: of what was found in the sentence.
    """
    if _COMPARES.search(asked):
        return False
    for name in called:
        behind = list(_behind(text, name))
        if behind and all(at >= 0 and start < at for at in behind):
            return True
    return False


def unless(asked: str, text: str) -> bool:
    """Whether a sentence says what is so "unless it rains", where the question says "if it rains".

    Or the other way round.
    """
    asks, says = _CONDITION.search(asked), _CONDITION.search(text)
    if asks is None or says is None:
        return False
    negated = [found[1].lower() == "unless" for found in (asks, says)]
    return negated[0] != negated[1] and frozenset(stems(asks[2])) <= frozenset(stems(says[2]))


def is_found_wanting(asked: str, before: str, found: str, behind: str) -> bool:
    """Whether what should be is asked for, and what is is told: "humidity 38 % - too low".

    Or it is said of nobody: "Nobody under 16 holds a bird" tells no age at which one may.

    Args:
        before: the text before it.
        found: what may be asked for.
        behind: the text behind it.
    """
    if _NOBODY.search(before) and not _DENIES.search(asked):
        return True
    return bool(_SHOULD.search(asked) and (_TOO.match(behind) or _TOO.search(found)))


def _behind(text: str, name: str) -> Iterator[int]:
    """Where the word stands that sets what follows against the rest, of each mention; else -1."""
    for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before = text[max(0, found.start() - _LONGEST) : found.start()]
        said = _THAN.search(before) or (_AGAINST.search(before) if name.isdigit() else None)
        yield found.start() - len(before) + said.start() if said else -1


def taken_back(value: str, pages: Sequence[Page]) -> tuple[Page, int] | None:
    """Find where some pages say that it is not a date, or time: "not on 21 July".

    Returns:
        The page, and the first character behind the value there.
    """
    for page in pages if _DATED.search(value) else ():
        for found in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", page.text):
            before = page.text[max(0, found.start() - _LONGEST) : found.start()]
            said = _TAKEN_BACK.search(before)
            if said and not _NO_MORE.search(said.group()):
                return page, found.end()
    return None


def changes(page: Page, sentence: int, alone: bool = False) -> bool:
    """Whether a sentence, or what is above it, tells what has changed: "new date", "is now".

    Args:
        alone: what is above does not count, as it says the same of the other sentence.
    """
    passage, text, own = page.passage, page.text, page.texts[sentence]
    if alone or _NOW.search(own):
        return bool(_NOW.search(own) or _CHANGED.search(own))
    opening = text[: text.find("\n")].rstrip() if "\n" in text else ""
    opening = "" if opening.endswith(".") else opening  # a sentence is no headline
    around = page.texts[max(0, sentence - 1) : sentence + 1]
    above = passage.title, passage.heading, opening
    told = any(_CHANGED.search(one) for one in (*above, *around))
    return told or any(_ABOVE.search(one) for one in above)
