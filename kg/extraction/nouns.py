"""What nouns state without a verb: appositions, possessives, "actor X", "X of Y", life brackets."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .clauses import governed, referent
from .facts import Fact, fact
from .mentions import DATE
from .reading import Argument, Reading
from .tokens import PLACES, RELATIVES, conjuncts

if TYPE_CHECKING:
    from spacy.tokens import Token

_AFTER_DATE = re.compile(rf"{DATE.pattern}(?:,| in|, in) $")
_SOMEWHERE = PLACES | {"ORG"}  # "Tuorla Observatory in Finland"
_NO_BEARER = frozenset({"DATE", "NORP", "CARDINAL", "ORDINAL"})


def noun_facts(reading: Reading, noun: "Token") -> Iterator[Fact | None]:
    """Read the facts that one noun and its modifiers state."""
    for child in noun.children:
        if child.dep_ == "appos":
            yield from _apposition(reading, noun, child)
        elif child.dep_ == "poss" and child.lower_ not in RELATIVES:
            yield _possession(reading, child, noun)
        elif child.dep_ == "amod" and child.tag_ == "VBN":
            yield from _compound(reading, child, noun)
    if reading.is_name(noun):
        yield _class_before(reading, noun)
        for words, token in governed(reading, noun, ""):
            lies = {reading.label(noun), reading.label(token)} <= _SOMEWHERE
            if reading.is_name(token) and (lies or not reading.divided):
                yield fact(reading.argument(noun), words, reading.argument(token))


def life_facts(reading: Reading) -> Iterator[Fact | None]:
    """Read birth and death in the bracket after a name: "(born 3 May 1950 in Nice)"."""
    doc, life = reading.doc, reading.opening.life
    span = doc.char_span(life.start, life.end, alignment_mode="expand") if life else None
    if life is None or span is None:
        return
    title = Argument(reading.title, 0, span.end)
    for relation, match in zip(("born on", "died on"), life.dates, strict=False):
        when = doc.char_span(*match.span(), alignment_mode="expand")
        if when is not None:
            yield fact(title, relation, Argument(match.group(), when.start, when.end))
    for place in reading.spans:
        at = doc[place.start].idx
        if not life.start <= at < life.end or place.label in _NO_BEARER:
            continue
        if place.label == "GPE" or _AFTER_DATE.search(doc.text[:at]):
            yield fact(title, "died in" if at > life.death else "born in", reading.whole(place))


def _apposition(reading: Reading, noun: "Token", other: "Token") -> Iterator[Fact | None]:
    labels = reading.label(noun), reading.label(other)
    if ":" in {t.text for t in reading.doc[noun.i : other.i]}:
        return  # "Present: Ann Lee"
    if labels[0] in PLACES:
        if labels[1] in PLACES or labels[1] == "NAME":
            yield fact(reading.argument(noun), "located in", reading.argument(other))
        return
    if "DATE" in labels or not any(labels):
        return
    if labels[0] == "PERSON" and labels[1] in PLACES | {"PERSON"}:
        return  # "Present: Ann Lee, Tom Bek" are two
    named, described = (noun, other) if labels[0] else (other, noun)
    if reading.divided and not _describes(reading, named, described):
        return
    owner = next((child for child in noun.children if child.dep_ == "poss"), None)
    if owner is not None and not labels[0]:  # "his wife, X"
        yield fact(reading.argument(owner), noun.lower_, reading.argument(other))
    head = reading.argument(named)
    for token in filter(_is_word, conjuncts(described)):
        yield fact(head, "is", reading.argument(token))
        for words, further in governed(reading, token, f"is {token.lower_}"):
            yield fact(head, words, reading.argument(further))


def _is_word(token: "Token") -> bool:
    """Whether it says what something is, as the number of "Ann Lee, 07700 900 356" does not."""
    return not token.like_num and any(map(str.isalpha, token.text))


def _describes(reading: Reading, named: "Token", described: "Token") -> bool:
    """Whether it is "X, a workshop in Y" and not two members of a list."""
    if reading.is_name(described):
        return reading.label(named) in ("PERSON", "NOBLE")
    return any(c.dep_ in ("det", "poss") for c in described.children)


def _possession(reading: Reading, owner: "Token", noun: "Token") -> Fact | None:
    """⟨X; album; Y⟩ of "X's album Y"; a nameless "X's album" says too little."""
    if reading.is_name(noun):
        between = [
            t.lower_
            for t in reading.doc[owner.i + 1 : noun.i]
            if t.pos_ == "NOUN" and not reading.is_name(t)
        ]
        return fact(reading.argument(owner), " ".join(between) or "has", reading.argument(noun))
    return None


def _compound(reading: Reading, participle: "Token", noun: "Token") -> Iterator[Fact | None]:
    """⟨X; is based in; Graz⟩ of "X is a Graz-based maker", ⟨X; is owned by; Y⟩ of "Y-owned"."""
    based = participle.lower_ == "based"
    for other in participle.children:
        label = reading.label(other)
        if other.dep_ != "npadvmod" or not label or (label == "NORP" and not based):
            continue  # nor "Israeli-made"
        said = f"is {participle.lower_} {'in' if label in PLACES else 'on' if based else 'by'}"
        for token in referent(reading, noun):
            if token.i != noun.i or reading.is_name(noun):
                yield fact(reading.argument(token), said, reading.argument(other))


def _class_before(reading: Reading, noun: "Token") -> Fact | None:
    """⟨X; is; actor⟩ of "actor X"."""
    span = reading.mention[noun.i]
    if span.label in _NO_BEARER:
        return None
    left = [
        t
        for t in reading.doc[reading.chunk_start(noun) : span.start]
        if t.dep_ in ("compound", "amod", "nmod") or t.pos_ == "NOUN"
    ]
    if not left or left[-1].pos_ != "NOUN":
        return None
    start, end = left[0].i, left[-1].i + 1
    if reading.doc[start - 1].text == "-":  # "Debian-based distribution X"
        start -= 2
    return fact(reading.argument(noun), "is", Argument(reading.words(start, end), start, end))
