"""Whether an answer is told of another numbered thing than the one asked about: version 1.8."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ....kg.extraction.mentions import MONTH
from ....kg.text.words import terms
from ..asked.question import Asked
from ..candidates import Mention
from ..pages import Page

_NUMBER = r"\d+(?:[.:/]\d+)*[a-z]?"
_NUMBERED = re.compile(rf"\b([^\W\d]{{3,}}?)(?:s|es)? v?({_NUMBER})(?![\w%°]|[.,:/]\d)")
_NO_KIND = re.compile(rf"{MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_MORE = rf"(?:(?:, | and | or |, and | ?(?:[–-]|to) ?)v?{_NUMBER})*"  # "rooms 3, 4 and 7"
_TO = re.compile(r"(\d+) ?(?:[–-]|to) ?(\d+)")
_BREAK = re.compile(r"[,;:]\s(?!\d{4}\b)|[()]|\s(?:and|but|while|whereas)\s")
_ASIDE = re.compile(r"\s*(?:which|that|who|where)\b")
_SET_AGAINST = re.compile(r"\b(?:since|than|like|unlike|from|until|as in|with) (?:the )?\Z", re.I)


def of_another_number(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether a sentence tells it of another of a kind of numbered things.

    Of "Version 1.8 ratified on 28 January, Version 1.7 ratified on 14 August" each day is that of
    the version before it, and of version 1.9 neither.
    """
    if not mention.end or mention.sentence in page.fields:
        return False
    first, text = page.starts[mention.sentence], page.texts[mention.sentence]
    wanted: dict[str, set[str]] = {}
    for noun, number in _numbered(asked):
        wanted.setdefault(noun, set()).add(number)
    return any(
        owners and not any(_is_one(number, said) for number in numbers for said in owners)
        for noun, numbers in wanted.items()
        for owners in [_owners(noun, text, mention.start - first, mention.end - first)]
    )


def _numbered(asked: Asked) -> Iterator[tuple[str, str]]:
    """Noun and number of each such thing in a question: "version 1.9", "Room 5"."""
    for found in _NUMBERED.finditer(asked.text):
        noun = found[1].lower()
        own = frozenset(terms(noun))
        nouns = asked.things | asked.doing  # taggers take "room" of "does room 5 seat" for a verb
        kind = bool(own) and (own <= nouns or found[1][0].isupper())
        if kind and not _NO_KIND.fullmatch(noun):
            yield noun, found[2]


def _owners(noun: str, text: str, start: int, end: int) -> list[str]:
    """The numbers of what a stretch of a text is told of, or none where it is such itself.

    These are those before it in its clause, else those behind it there, else the next before it,
    else the first.
    """
    like = re.compile(rf"\b{re.escape(noun)}(?:s|es)? (v?{_NUMBER}{_MORE})(?![\w%°])", re.I)
    said = list(like.finditer(text))
    if any(one.start() < end and start < one.end() for one in said):
        return []
    breaks = (b.end() for b in _BREAK.finditer(text) if not any(_holds(one, b) for one in said))
    clauses = list(pairwise([0, *breaks, len(text)]))
    own = next((n for n, (_, last) in enumerate(clauses) if start < last), 0)
    inside = [[one for one in said if a <= one.start() < b] for a, b in clauses]
    before = [one for one in inside[own] if one.end() <= start]
    earlier = (
        inside[n]
        for n in range(own - 1, -1, -1)
        if inside[n] and not _ASIDE.match(text, clauses[n][0])
    )
    owners = before or inside[own] or next(earlier, []) or said[:1]
    if owners and all(_SET_AGAINST.search(text[: one.start()]) for one in owners):
        return []
    return [one[1] for one in owners]


def _holds(found: re.Match[str], other: re.Match[str]) -> bool:
    return found.start() <= other.start() and other.end() <= found.end()


def _is_one(number: str, said: str) -> bool:
    """Whether a number is among some that are said, or one is a part of the other: "2", "2.1"."""
    spans = (map(int, found) for found in _TO.findall(said))
    if number.isdigit() and any(a <= int(number) <= b for a, b in spans):
        return True
    return any(
        one == number or one.startswith(f"{number}.") or number.startswith(f"{one}.")
        for one in re.findall(_NUMBER, said)
    )
