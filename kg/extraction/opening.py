"""What a passage's first sentence tells of its title: a person or a film, from when, from where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text.words import STOP, words
from .mentions import DATE, Span
from .tokens import HE, conjuncts

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BE = frozenset({"is", "was", "are", "were"})
_BRACKET = re.compile(r"\(([^()\n]*)\)")
_BORN = re.compile(r"\bborn\b|\bb\.")
_UNTIL = re.compile(r"[–—-]|died")
_DESCRIBING = frozenset({"DET", "ADJ", "ADV", "PUNCT", "CCONJ"})
REACH = 260  # characters in which a first bracket may tell a life
MAX_NAME_WORDS = 7  # words before that bracket
FIRST_VERB = 60  # tokens in which the first "is" or "was" is looked for


@dataclass(frozen=True, slots=True)
class Life:
    """The bracket after a name: characters [start, end), its dates, where the death begins."""

    start: int
    end: int
    dates: tuple[re.Match[str], ...]
    death: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first sentence says the title is.

    Args:
        is_on_title: it names the title; later passages of a document often do not.
        copula: index of its "is", outside brackets; 0 when there is none.
        kinds: lemmas of the class nouns: film, drama; singer.
        description: year and nationality before the class noun: "a 1954 Norwegian drama film".
    """

    is_on_title: bool
    copula: int
    kinds: frozenset[str]
    description: tuple[Span, ...]
    life: Life | None
    is_person: bool


def read_opening(doc: "Doc", title: str, spans: Sequence[Span], whole: bool = False) -> Opening:
    """Read the opening of a passage, given its mentions.

    It has to name the `whole` title where the title may be no more than what heads a text.
    """
    named = frozenset(words(title)) - STOP or frozenset(words(title))
    first = next((s.text for s in doc.sents), "")
    if whole and not named.issubset(words(first)):
        named = frozenset()
    copula = _copula(doc, named)
    life = _life(doc.text, named)
    return Opening(
        is_on_title=_speaks_of(named, first),
        copula=copula,
        kinds=_kinds(doc),
        description=_description(doc, copula, spans) if copula else (),
        life=life,
        is_person=life is not None or _is_person(doc, title, spans, copula),
    )


def _speaks_of(named: frozenset[str], text: str) -> bool:
    """Whether a text names the title in some form: "William Mitchell Jr." for "Billy Mitchell"."""
    return not named.isdisjoint(words(text))


def _copula(doc: "Doc", named: frozenset[str]) -> int:
    depth = 0
    for token in next(iter(doc.sents), ())[:FIRST_VERB]:
        depth += (token.text == "(") - (token.text == ")")
        if token.lower_ in _BE and depth <= 0:
            return token.i if _speaks_of(named, doc[: token.i].text) else 0
    return 0


def _kinds(doc: "Doc") -> frozenset[str]:
    first = next(iter(doc.sents), ())
    for dep in ("attr", "appos"):
        for token in first:
            if token.dep_ == dep and token.pos_ in ("NOUN", "PROPN"):
                compounds = (c for c in token.lefts if c.dep_ == "compound")
                return frozenset(t.lemma_.lower() for t in (*conjuncts(token), *compounds))
    return frozenset()


def _is_compound(doc: "Doc", end: int) -> bool:
    """Whether a name goes on as in "German-born" and "Debian-based"."""
    return doc[end : end + 1].text == "-" and end + 1 < len(doc) and doc[end + 1].tag_ == "VBN"


def _description(doc: "Doc", copula: int, spans: Sequence[Span]) -> tuple[Span, ...]:
    """By position: class nouns in a row, as in "war film noir", are parsed in many ways."""
    begins = {span.start: span for span in spans if span.label in ("DATE", "NORP", "GPE")}
    found, at = [], copula + 1
    while at < len(doc):
        if at in begins and _is_compound(doc, begins[at].end):
            at = begins[at].end + 2
        elif at in begins:
            found.append(begins[at])
            at = begins[at].end
        elif doc[at].pos_ in _DESCRIBING:
            at += 1
        else:
            break
    return tuple(found)


def _life(text: str, named: frozenset[str]) -> Life | None:
    for match in _BRACKET.finditer(text, 0, REACH):
        dates = tuple(DATE.finditer(text, *match.span(1)))
        name = text[: match.start()].split()[-MAX_NAME_WORDS:]
        if not dates or not _speaks_of(named, " ".join(name)):
            continue
        start, end = match.span(1)
        if len(dates) == 1:
            if _BORN.search(match.group(1)):
                return Life(start, end, dates, end)
            continue
        until = _UNTIL.search(text, dates[0].end(), dates[1].start())
        if until or _BORN.search(match.group(1)) or " " in dates[0].group():
            return Life(start, end, dates[:2], until.start() if until else dates[1].start())
    return None


def _is_person(doc: "Doc", title: str, spans: Sequence[Span], copula: int) -> bool:
    people = [e.text for e in doc.ents if e.label_ == "PERSON" and len(e) > 1]
    if any(name in title or name.split()[-1:] == title.split()[-1:] for name in people):
        return True
    first = min(spans, key=lambda span: span.start, default=None)
    if first is None or first.label not in ("PERSON", "NOBLE"):
        return False
    called = _speaks_of(frozenset(words(title)), doc[first.start : first.end].text)
    return (called or copula > 0) and any(token.lower_ in HE for token in doc)
