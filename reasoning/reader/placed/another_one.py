"""Whether what is found is told of the other of a kind, another day, or somebody in brackets."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.dates import days_of
from ..asked.names import inside, key
from ..asked.parts import told_kind
from ..asked.question import Asked
from ..candidates import Mention
from ..pages import Page
from .another_sort import is_another

if TYPE_CHECKING:
    from spacy.tokens import Span

_KIN = (  # of these one is not the other, where the same noun follows
    r"first|second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th)",
    "spring|summer|autumn|winter",
    "north|south|east|west",
    "northern|southern|eastern|western",
)
_OPPOSITES = tuple(
    tuple(re.compile(rf"(?i)\b(?:{side})\b") for side in pair)
    for pair in (
        ("next|forwards?", "previous|backwards?"),
        ("the upper", "the lower"),
        ("minimum|at least", "maximum|at most"),
        ("arrivals?|arrives?", "departures?|departs?"),
        ("indoors?", "outdoors?"),
        ("uploads?|uploading", "downloads?|downloading"),
        ("imports?|importing", "exports?|exporting"),
    )
)
_NAMES_ASKED = re.compile(r"\b(?:names?|surname|called)\b", re.IGNORECASE)
_YEAR = r"(?:1[5-9]|20)\d\d"
_OF_A_YEAR = re.compile(rf"\b({_YEAR}) ([a-z]{{3,}})")  # "the 1999 film"
_DEPUTY = re.compile(r"\b(?:deputy|vice|assistant|acting|honorary|interim)[ -]([a-z]{4,})", re.I)
_WEEKDAYS = frozenset(stems("monday tuesday wednesday thursday friday saturday sunday"))
_SPAN_OF_DAYS = re.compile(
    r"\d\.? ?(?:–|-|to|until|till) ?(?:\d\d? [A-Za-z]|\d\d?[./]\d)|\bfrom\b", re.IGNORECASE
)
_NAMED = re.compile(r"[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)* \Z")
_LONGEST_NAME = 60  # characters


def of_another_of_a_kind(asked: Asked, page: Page, mention: Mention, above: frozenset[str]) -> bool:
    """Whether its sentence says the other of what the question says one of.

    Of "the summer camp" where the autumn camp is asked about, of the treasurer where the deputy is,
    of the third edition where the second is.

    Args:
        above: the stems of title and heading.
    """
    if not mention.end:
        return False
    text = page.texts[mention.sentence]
    if office := _DEPUTY.search(asked.text):
        alone = re.search(rf"(?i)\b{office[1]}\b", text)
        return alone is not None and office[0].lower() not in text.lower()
    dated = _OF_A_YEAR.search(asked.text)
    if dated and dated[1] not in text + page.passage.heading:
        other = re.search(rf"(?i)\b{_YEAR} {re.escape(dated[2])}\b", text)
        if other is not None:
            return True
    days, said = asked.stems & _WEEKDAYS, page.said[mention.sentence] & _WEEKDAYS
    if days and said and days.isdisjoint(said | above):
        return True
    if any(is_another(kin, asked.text, text) for kin in _KIN):
        return True
    return any(_is_opposite(pair, asked.text, text) for pair in _OPPOSITES)


def _is_opposite(pair: tuple[re.Pattern[str], ...], asked: str, text: str) -> bool:
    """Whether a text says "previous" alone where a question says "next" alone, or the reverse."""
    (mine, other), (its, against) = ([bool(side.search(t)) for side in pair] for t in (asked, text))
    return mine != other and its != against and mine != its


def is_who_is_named(asked: Asked, text: str) -> bool:
    """Whether the question names it: Imke Berg is not who stands in for Imke."""
    words = text.split()
    if (
        asked.kind != "person"
        or asked.identity
        or len(words) < 2
        or _NAMES_ASKED.search(asked.text)
    ):
        return False
    return frozenset(stems(words[0])) in asked.names


def is_described(asked: Asked, focus: frozenset[str], found: "Span | None", text: str) -> bool:
    """Whether it is the place that the question describes, not the one that it asks for.

    Of "the island where … is in what harbour" that is "Cockatoo Island", of "in which country is
    the province where …" "the province of Vojvodina".
    """
    if asked.kind != "place" or not asked.focus or not found:
        return False
    described = asked.things - asked.typed - asked.named_stems - focus
    of = found.root.head
    told = [*told_kind(found.root), *([of.head] if of.lower_ == "of" else [])]
    said = frozenset(stems(" ".join([*(t.text for t in told), *text.split()[1:]])))
    return not said.isdisjoint(described) and said.isdisjoint(focus)


def of_another_day(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether its line or row is dated, and not of the day that the question names.

    "9 July: York" below "23 July: Whitby" is not where the trip of 23 July went.
    """
    days = _days(asked.text) if mention.end and asked.kind != "date" else None
    sentence = mention.sentence
    if not days or not (sentence in page.fields or page.is_line(sentence)):
        return False
    text, above = page.texts[sentence], f"{page.passage.title} {page.passage.heading}"
    own = _days(text)
    return bool(own) and not _SPAN_OF_DAYS.search(text) and days.isdisjoint(own | _days(above))


def of_the_day(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether its sentence says a day that the question names."""
    return bool(mention.end and _days(asked.text) & _days(page.texts[mention.sentence]))


def _days(text: str) -> frozenset[tuple[int, int]]:
    return frozenset((one.month, one.day) for one in days_of(text))


def in_anothers_aside(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether it stands in brackets behind another name than one of the question's.

    "First aiders: Ann, Eve (her certificate ends in May)" tells nothing of Ann's.
    """
    own = asked.named_stems & page.said[mention.sentence]
    first, last = page.starts[mention.sentence], mention.start
    opened = page.text.rfind("(", first, max(first, last))
    if not mention.end or not own or opened < 0 or ")" in page.text[opened:last]:
        return False
    behind = _NAMED.search(page.text[max(first, opened - _LONGEST_NAME) : opened])
    if behind is None:
        return False
    return own.isdisjoint(stems(behind[0])) and own.isdisjoint(stems(page.text[opened:last]))


def said_of_somebody_else(
    asked: Asked, page: Page, sentence: int, text: str, relation: frozenset[str]
) -> bool:
    """Whether a triple of a sentence says of another name what is asked of one.

    "Her mate is Bo Ek" after "The tug is commanded by Ole Berg, the pilot boat by Ann Lee" does not
    say who Ole Berg's mate is.

    Args:
        text: what was found.
        relation: stems of what is asked of the one.
    """
    others = [
        other
        for statement in page.statements
        if page.sentence_of(statement) == sentence
        and not relation.isdisjoint(stems(statement.triple.relation))
        for said, other in pairwise((statement.triple.head, statement.triple.tail) * 2)
        if key(said) == key(text) and other[:1].isupper()
    ]
    own = key(f"{page.passage.title} {page.passage.heading}")
    return bool(others) and all(
        asked.named_stems.isdisjoint(stems(other)) and not inside(key(other), own)
        for other in others
    )
