"""Whether what is found is told of the other of a kind, another day, or somebody in brackets."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.dates import days_of
from ..asked.names import inside, key
from ..asked.parts import part_played, told_kind
from ..asked.question import Asked
from ..candidates import Mention
from ..pages import Page
from .another_sort import is_another
from .on_terms import days
from .ranges import range_around

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

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
_AT_MOST = re.compile(r"\b(?:maximum|at most)\b", re.IGNORECASE)
_UP_TO = re.compile(r"\b(?:up to|no more than|not more than|at most)\s", re.IGNORECASE)
_TURNS = tuple(  # of whose times one is not the other
    tuple(re.compile(rf"(?i)\b(?:{side})\b") for side in pair)
    for pair in (
        (r"open(?:s|ed)?|opening", r"close[sd]?|closing|shuts?"),
        (r"starts?|started|beg[iau]ns?|beginning", r"ends?|ended|finish(?:es|ed)?|over"),
        (r"born", r"die[sd]?|killed"),
        (r"founded|established|set up", r"dissolved|closed|wound up|shut"),
        (r"join(?:s|ed)?|appointed", r"left|leaves?|retire[sd]?|resign(?:s|ed)?|dismissed"),
    )
)
_UNTIL = re.compile(r"\b(?:until|till|to|by|before|from) \Z")
_WHO_IS_THE = re.compile(r"(?:who|whom) (?:is|are|was|were) (?:the|our|your|its|their)\b", re.I)
_APPOINTS = frozenset(
    "appoint choose confirm designate dismiss elect employ hire name nominate pay recall remove"
    " select".split()
)
_NAMES_ASKED = re.compile(r"\b(?:names?|surname|called)\b", re.IGNORECASE)
_YEAR = r"(?:1[5-9]|20)\d\d"
_OF_A_YEAR = re.compile(rf"\b({_YEAR}) ([a-z]{{3,}}|[A-Z]\w+)")  # "the 1999 film", "2009 Open"
_BETWEEN = r"(?:[\w-]+ ){0,4}"  # "a 1968 American psychological horror film"
_CAPITAL = r"[^\W\d_a-z][\w'’-]+"
_TIED = re.compile(  # "the journey to Worms"
    rf"\b([a-z]{{4,}}) (to|of|from|for|in|at) ({_CAPITAL})"
)
_DEPUTIES = re.compile(r"\b(?:deputy|vice|assistant|acting|honorary|interim)\b", re.I)
_DEPUTY = re.compile(rf"{_DEPUTIES.pattern}[ -]([a-z]{{4,}})", re.I)
_WEEKDAYS = frozenset(stems("monday tuesday wednesday thursday friday saturday sunday"))
_SPAN_OF_DAYS = re.compile(
    r"\d\.? ?(?:–|-|to|until|till) ?(?:\d\d? [A-Za-z]|\d\d?[./]\d)|\bfrom\b", re.IGNORECASE
)
_NAMED = re.compile(r"[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)* \Z")
_LONGEST_NAME = 60  # characters
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_BEFORE = 3  # sentences in which that stands which "it" means


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
        return alone is not None and _DEPUTIES.search(text) is None
    dated = _OF_A_YEAR.search(asked.text)
    own = asked.things | asked.named_stems  # in "In 2009 the club …" no year is the club's
    if dated and own.issuperset(stems(dated[2])) and dated[1] not in text + page.passage.heading:
        other = re.search(rf"(?i)\b{_YEAR} {_BETWEEN}{re.escape(dated[2])}\b", text)
        if other is not None:
            return True
    wanted, own_days = days(asked.text), days(text)
    if wanted and own_days and not wanted & own_days and above.isdisjoint(asked.stems & _WEEKDAYS):
        return True
    if any(is_another(kin, asked.text, text) for kin in _KIN) or _is_elsewhere(asked.text, text):
        return True
    start = mention.start - page.starts[mention.sentence]
    if _AT_MOST.search(asked.text) and any(
        found.start() <= start <= found.end() for found in _UP_TO.finditer(text)
    ):
        return False
    return any(_is_opposite(pair, asked.text, text) for pair in _OPPOSITES)


def _is_elsewhere(asked: str, text: str) -> bool:
    """Whether a text says "the journey to Mainz", where the one to Worms is asked about."""
    for noun, tie, name in _TIED.findall(asked):
        others = re.findall(rf"(?i:\b{re.escape(noun)}s? {tie}) ({_CAPITAL})", text)
        if others and not re.search(rf"(?i)\b{re.escape(name)}", text):
            return all(other.lower() not in asked.lower() for other in others)
    return False


def of_another_turn(asked: Asked, page: Page, mention: Mention) -> bool:
    """Whether its sentence says when a thing opens, where it is asked when it closes.

    But of "from 9 to 17", or "until 17", both may be read.
    """
    if not mention.end or asked.kind != "date":
        return False
    text = page.texts[mention.sentence]
    start, end = (place - page.starts[mention.sentence] for place in (mention.start, mention.end))
    if range_around(text, start, end) or _UNTIL.search(text[:start]):
        return False
    return any(_is_opposite(pair, asked.text, text) for pair in _TURNS)


def _is_opposite(pair: tuple[re.Pattern[str], ...], asked: str, text: str) -> bool:
    """Whether a text says "previous" alone where a question says "next" alone, or the reverse."""
    (mine, other), (its, against) = ([bool(side.search(t)) for side in pair] for t in (asked, text))
    return mine != other and its != against and mine != its


def is_who_is_named(asked: Asked, found: "Span | None", text: str) -> bool:
    """Whether the question names it: Imke Berg is not who stands in for Imke.

    Or whether its sentence says that it is whom the question names: of "Project manager is Ann Lee"
    she is not who came before Ann Lee. Nor is "the chair and the secretary" who the secretary is.
    """
    if asked.kind != "person" or asked.identity or _NAMES_ASKED.search(asked.text):
        return False
    if found and _is_the_role_asked(asked, found):
        return True
    if found and any(t.ent_type_ == "PERSON" and _is_asked(t, asked) for t in _same_as(found)):
        return True
    words = text.split()
    whole, first = (frozenset(stems(said)) for said in (text, words[0] if words else ""))
    return whole in asked.names or (len(words) > 1 and first in asked.names)


def _is_the_role_asked(asked: Asked, found: "Span") -> bool:
    """Whether it is, with another, the one in the office that is asked for, or who appoints it."""
    if not _WHO_IS_THE.match(asked.text):
        return False
    played, listed = part_played(found.root), (found.root, *found.root.conjuncts)
    if played is not None and played[1].lemma_ in _APPOINTS:
        to = (t for t in played[1].children if t.dep_ == "nsubjpass")
        return played[0] == "subject" and any(_is_the_role(t, asked) for t in to)
    return len(listed) > 1 and any(t in found and _is_the_role(t, asked) for t in listed)


def _is_the_role(noun: "Token", asked: Asked) -> bool:
    own = frozenset(stems(f"{noun.text} {_compound(noun)}"))
    return noun.ent_type_ != "PERSON" and bool(own) and own <= asked.stems


def _compound(noun: "Token") -> str:
    return " ".join(t.text for t in noun.children if t.dep_ == "compound")


def _same_as(found: "Span") -> "Iterator[Token]":
    """What a sentence says that it is, or that is it: "Project manager is Ann Lee"."""
    sides = ("nsubj", "attr")
    if found.root.dep_ in sides and found.root.head.lemma_ == "be":
        yield from (t for t in found.root.head.children if t.dep_ in sides and t not in found)


def _is_asked(token: "Token", asked: Asked) -> bool:
    """Whether the question names what a token is the last word of."""
    return not asked.named_stems.isdisjoint(stems(token.text))


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
    say who Ole Berg's mate is; nor "it burned in 1931", of a mill, when its owner did. But "she
    died" is said of whom the page is about, where another was only mentioned.

    Args:
        text: what was found.
        relation: stems of what is asked of the one.
    """
    above = page.scope.union(stems(f"{page.passage.title} {page.passage.heading}"))
    about = any(name <= above for name in asked.names)
    others = [
        other
        for statement in page.statements
        if page.sentence_of(statement) == sentence
        and not relation.isdisjoint(stems(statement.triple.relation))
        for said, other in pairwise((statement.triple.head, statement.triple.tail) * 2)
        if key(said) == key(text)
        and (
            _is_name(asked, page, sentence, other)
            if inside(key(other), key(page.sentence(sentence)))
            else not about or _is_subject_before(page, sentence, other)
        )
    ]
    own = key(f"{page.passage.title} {page.passage.heading}")
    return bool(others) and all(
        (asked.named_stems if other[:1].isupper() else asked.stems).isdisjoint(stems(other))
        and not inside(key(other), own)
        for other in others
    )


def _is_name(asked: Asked, page: Page, sentence: int, said: str) -> bool:
    """Whether a sentence says it as a name: not "Construction", with which it begins.

    Nor "Restoration", if the question has that in lower case.
    """
    opens = next((token for token in page.spans[sentence] if token.is_alpha), None)
    if opens is None or opens.text != said:
        return said[:1].isupper()
    own = frozenset(stems(said))
    return opens.pos_ != "NOUN" and not own <= asked.stems - asked.named_stems


def _is_subject_before(page: Page, sentence: int, name: str) -> bool:
    """Whether one of the sentences before is about it, as "it" and "she" mostly mean."""
    for before in page.spans[max(0, sentence - _BEFORE) : sentence]:
        own = frozenset(stems(name))
        if any(t.dep_ in _SUBJECTS and not own.isdisjoint(page.stemmed[t.i]) for t in before):
            return True
    return False
