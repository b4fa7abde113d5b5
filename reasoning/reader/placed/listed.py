"""Figures that a sentence lists, and what each of them is told of."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ....kg.text.words import STOP, stems
from ..asked.forms import NUMBERS
from ..asked.question import Asked
from ..candidates import LEADING

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_COUNTS = "|".join(w for w in NUMBERS.split("|") if w not in ("one", "half", "twice", "once"))
_WRITTEN = rf"\b(?:{_COUNTS}|one(?= (?:second|minute|hour|day|night|week|month|year)\b))\b"
"""A number in words; not "one of them"."""
_PARTED = re.compile(rf"[;()]|,(?!\d)| and (?=(?:[$€£¥]? ?\d|{_WRITTEN}))")
_AND = re.compile(r"[;()]|,(?!\d)|(?: and| or) ")
_HAS_FIGURE = re.compile(rf"\d|{_WRITTEN}", re.IGNORECASE)
_FIGURE = re.compile(
    rf"([$€£¥] ?)?(\d[\d.,]*(?<=\d)|{_WRITTEN}(?:[ -](?:{_COUNTS}|one))?)(?: ?(%|°?[A-Za-z]+|€))?",
    re.IGNORECASE,
)
_OF = re.compile(r" (?:in|at|of|for|from|on|to|as|with) (?=(?:the )?[A-Z\d])")
_LEADS = re.compile(
    r"\s*(?:(?:and|but|then|where(?:as)?|while) )?(?:at|during|for|if|in|on|under|when|with)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"who (?:(?:are|were) (?:the|our|your|their|its)|(?:co-?)?(?:wrote|founded|made|created"
    r"|composed|developed|designed|invented|built|discovered|directed|produced|started))\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?:which|what) (?:[\w-]+ ){0,2}?(men|women|people|[a-z]+s)\b", re.IGNORECASE)
_BEING = re.compile(r"\A(?:(?:to|be|been|is|are|was|were) )+")
_DONE = re.compile(r"\bwhat\b.*\b(?:be done|been done|is done|are done|was done|happens?)\b", re.I)
_IRREGULAR = {"man": "men", "woman": "women", "person": "people", "people": "people"}
RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)


class _Item(NamedTuple):
    """A part of a sentence with a figure: its place, what that counts, what is asked of it.

    Of several figures of a part each is an item: "groups of 12 or more receive 15 %".

    Args:
        at: where the figure begins; `until` is one past its last character.
        given: the question says the figure itself, which so is no answer.
    """

    start: int
    end: int
    at: int
    until: int
    unit: str
    said: frozenset[str]
    given: bool


_FIGURE_OF = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_ENUMERATED = re.compile(r"\A\s*\(?\d{1,3}[.)](?=\s)")  # "2. Amend …"
_OTHERS = rf"(?:(?:, | and |, and )[£$€]?{_FIGURE_OF.pattern})+"
_FIGURES = re.compile(
    rf"(?P<sign>[£$€]?)(?P<figures>{_FIGURE_OF.pattern}{_OTHERS})(?P<unit>(?: ?[^\W\d]+)?)"
)
_MOST = re.compile(r"\b(?:heaviest|largest|biggest|longest|highest|tallest|deepest|widest)\b", re.I)
_LEAST = re.compile(r"\b(?:lightest|smallest|shortest|lowest|narrowest)\b", re.I)


def told_of_another(text: str, start: int, end: int, asked: frozenset[str]) -> bool:
    """Whether a figure of a sentence is told of another thing than what is asked about.

    "It needs 3 GB of memory for A, 5 GB for B": the 3 GB are not what B needs, since a later item
    of the list says B; the 5 GB are not what A needs, since all that their item says of the
    question the other says, too.

    Args:
        text: of the sentence.
        start: of the figure in it; end is one past its last character.
        asked: stems of the question.
    """
    text = _ENUMERATED.sub(lambda number: " " * len(number.group()), text)
    items = list(_items(text, asked))
    own = next((item for item in items if start < item.until and item.at < end), None)
    if own is None or not has_figure(text[start:end]):
        return False
    before = frozenset[str]().union(*(item.said for item in items if item.start <= own.start))
    for item in items:
        if item is own or item.unit != own.unit or item.given:
            continue
        if item.start == own.start:  # another figure of the same part: "12 or more receive 15 %"
            continue
        beside = (
            item.start == own.end + 1 and text[own.end : own.end + 1] == "("
        )  # "3 GB for A (2 GB if packed)"
        if item.start > own.start and item.said - (own.said if beside else before):
            return True
        if item.start < own.start and item.said - own.said and own.said <= item.said:
            return True
    return False


def beside_another(text: str, start: int, end: int, named: frozenset[str]) -> bool:
    """Whether a name of a list stands with another thing than the one asked about.

    "Ann Lee in Graz, Bo Ek in Linz": Ann Lee is not who is asked for in Linz, as her item says
    where she is, and another one says Linz.

    Args:
        text: of the sentence.
        start: of the name in it; end is one past its last character.
        named: stems of the question's names.
    """
    parts = list(_cut(_AND, text))
    own = next(((a, b) for a, b in parts if a <= start and end <= b), None)
    if own is None or not (of := _OF.match(text, end, own[1])):
        return False
    if not named.isdisjoint(stems(text[own[0] : own[1]])):
        return False
    like = re.compile(rf"(?<=[\w.]){of.group()}")
    others = (like.search(text, a, b) for a, b in parts if (a, b) != own)
    behind = (_AND.split(text[other.end() :], maxsplit=1)[0] for other in others if other)
    return any(not named.isdisjoint(stems(said)) for said in behind)


def _items(text: str, asked: frozenset[str]) -> Iterator[_Item]:
    led = frozenset[str]()  # what leads in the next: "while for night mode, the delay is 34 ms"
    before = frozenset[str]()  # what stands before a bracket: "wideband speech (16 kHz)"
    for start, end in _cut(_PARTED, text):
        said = asked.intersection(stems(text[start:end]))
        if not has_figure(text[start:end]):
            led, before = led | said if _LEADS.match(text, start, end) else led, said
            continue
        aside = text[start - 1 : start] == "("
        here = said | (before if aside else led)
        led, before = led if aside else frozenset(), frozenset()
        for figure in _FIGURE.finditer(text, start, end):
            currency, number, behind = (group or "" for group in figure.groups())
            unit = currency.strip() or ("" if behind.casefold() in STOP else behind.casefold())
            given = asked.issuperset(stems(number))
            yield _Item(start, end, *figure.span(), unit, here, given)


def _cut(between: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text between what parts them, as (first character, one past the last)."""
    start = 0
    for found in between.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def all_of(asked: Asked, sentence: "Span", start: int, end: int) -> str:
    """Return the list of things that one is of, where the question may ask for several; else "".

    "Who are the first-aiders?" is not answered by the first of "Ann in Graz, Bo in Linz and Cy",
    nor "Who wrote it?" by one of two.

    Args:
        start: of the thing in the document of the sentence, in characters; end as above.
    """
    span = sentence.doc.char_span(start, end, alignment_mode="expand")
    several, plural = _SEVERAL.match(asked.text), _PLURAL.match(asked.text)
    things = plural is not None and plural[1].lower() in _plurals(asked.focus)
    if span is None or not (several or things):
        return ""
    listed = sorted({span.root, *span.root.conjuncts}, key=lambda token: token.i)
    kinds = ("PROPN", "NOUN") if things else ("PROPN",)
    if len(listed) < 2 or any(token.pos_ not in kinds for token in listed):
        return ""
    if any(_said(token, asked.stems) for token in listed):  # "Who wrote it together with Ann?"
        return ""
    whole = sentence.doc[listed[0].left_edge.i : listed[-1].right_edge.i + 1]
    if whole.end < span.end:  # the parser took the last one for another word's
        return ""
    return LEADING.sub("", whole.text.rstrip(" .;,\n"))


def _plurals(noun: str) -> frozenset[str]:
    """What a noun's plural may be."""
    return frozenset((f"{noun}s", f"{noun}es", f"{noun[:-1]}ies", _IRREGULAR.get(noun, "")))


def all_done(asked: Asked, sentence: "Span", start: int, end: int) -> str:
    """Return all that is done, where a question asks that: "bagged and taken to the tip"; else "".

    Args:
        start: of one such deed in the document of the sentence; end as above.
    """
    span = sentence.doc.char_span(start, end, alignment_mode="expand")
    if span is None or span.root.tag_ != "VBN" or not _DONE.search(asked.text):
        return ""
    deeds = sorted({span.root, *span.root.conjuncts}, key=lambda token: token.i)
    if len(deeds) < 2 or any(token.tag_ != "VBN" for token in deeds):
        return ""
    whole = sentence.doc[min(span.start, deeds[0].i) : deeds[-1].right_edge.i + 1]
    return _BEING.sub("", whole.text.rstrip(" .;,\n")) if whole.end >= span.end else ""


def has_figure(text: str) -> bool:
    """Whether a text has a digit, or a number in words: "seven years"."""
    return _HAS_FIGURE.search(text) is not None


def out_of_turn(sentence: "Span", start: int, end: int, asked: frozenset[str]) -> bool:
    """Whether a figure is not the one that "respectively" gives to what is asked about.

    Of "A and B take 3 and 8 respectively" 3 is A's and 8 is B's; where the question says neither or
    both, nothing is.

    Args:
        start: of the figure in the document of the sentence, in characters; end as above.
        asked: stems of the question.
    """
    if not RESPECTIVELY.search(sentence.text):
        return False
    figures = [token for token in sentence if token.like_num or token.text[:1].isdigit()]
    meant = [n for n, one in enumerate(figures) if one.idx < end and start < one.idx + len(one)]
    if not meant:
        return False
    for token in sentence:
        listed = sorted([token, *token.conjuncts], key=lambda one: one.i)
        if len(listed) < 2 or any(one in figures for one in listed):
            continue
        said = [n for n, one in enumerate(listed) if _said(one, asked)]
        if len(said) == 1:
            turn = len(figures) - len(listed) + said[0]
            return meant != [turn]
    return True


def _said(token: "Token", asked: frozenset[str]) -> bool:
    own = frozenset(stems(token.text))
    return bool(own) and own <= asked


def extreme_of(asked: str, text: str) -> str:
    """Return the one of some figures that a question of the heaviest or least asks for, or ""."""
    most, least = _MOST.search(asked), _LEAST.search(asked)
    listed = _FIGURES.fullmatch(text)
    if listed is None or bool(most) == bool(least):
        return ""
    figures = _FIGURE_OF.findall(listed["figures"])
    told = max(figures, key=_value) if most else min(figures, key=_value)
    return f"{listed['sign']}{told}{listed['unit']}"


def _value(figure: str) -> float:
    return float(figure.replace(",", ""))
