"""Whom "he" and "she" may mean: people, of whom nothing says that they are none."""

import re
from typing import TYPE_CHECKING

from .mentions import Span
from .tokens import FIRMS, HE, MADE, SUBJECTS, conjuncts

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from spacy.tokens import Span as Sentence

PEOPLE = frozenset({"PERSON", "NOBLE"})
PERSON = re.compile(
    r"[^\W\d_a-z][\w'’.-]{0,40}"
    r"(?: (?:(?:de|van|von|der|den|al|bin) ){0,2}[^\W\d_a-z][\w'’.-]{0,40}){1,4}"
)
_MISSED = PEOPLE | {"NAME", "ORG", "PRODUCT", "TITLE"}  # labels that a person is given as well
_SHE = frozenset({"she", "her", "hers", "herself"})
_SHIPPED = frozenset("buy lease moor refit rename repair scrap sell sink tow wreck".split())
_ARTICLES = frozenset("the a an this that my your his her its our their".split())
_WHERE = r"(?:the|at|join(?:s|ed)|found(?:s|ed)|within|inside|own(?:s|ed)|bought|acquired) "
_BODIES = FIRMS | frozenset(  # that a name with one of these words is of
    """academy agreement airlines airport archive archives association authority bank board bridge
    brewery bureau castle cathedral centre center chapel chronicle church clinic club college
    commission committee contract cooperative corps council court department depot dock factory
    fair faq farm fund gallery group guide hall handbook harbour harbor history hospital hotel
    house inc institution island laboratory library list llc ltd manual mill ministry minutes
    mission museum network newsletter notes observatory office orchestra parish park parliament
    party pier plan plant policy port press project quay railway register registry report river
    rules school server service services society software station street studio studios survey
    system systems team theater theatre tower trust union university valley village works workshop
    yard""".split()
)


def was_made(token: "Token") -> bool:
    """Find out whether it was founded, built or written, and so is nobody."""
    return token.dep_ == "nsubjpass" and token.head.lemma_ in MADE


def is_ship(pronoun: "Token") -> bool:
    """Find out whether "she" was built, launched or sold, and so is a ship."""
    return pronoun.dep_ == "nsubjpass" and pronoun.head.lemma_ in MADE | _SHIPPED


def is_no_person(name: str) -> bool:
    """Find out whether a name's own words tell of a body, a place or a thing."""
    words = name.split()
    if "&" in name or name.islower():
        return True
    return not _BODIES.isdisjoint(word.strip(".,").lower() for word in words)


def may_be_person(doc: "Doc", span: Span) -> bool:
    """Find out whether what a recogniser calls a person may be one: "the Observatory" is none."""
    before = doc[span.start - 1].lower_ if span.start else ""
    name = doc[span.start : span.end].text
    return not is_no_person(name) and before not in _ARTICLES


def subject_person(doc: "Doc", sentence: "Sentence", mention: dict[int, Span]) -> Span | None:
    """Find the subject of a sentence that may be somebody, whatever the recogniser calls it.

    A name of several capitalised words, of which nothing tells that it is no person.
    """
    for child in sentence.root.children:
        span = mention.get(child.i)
        if child.dep_ not in SUBJECTS or span is None or span.label not in _MISSED:
            continue
        name = " ".join(doc[span.start : span.end].text.split())
        written = PERSON.fullmatch(name) and not any(
            len(w) > 2 for w in name.split() if w.isupper()
        )
        alone = len(conjuncts(child)) == 1 and child.tag_ != "NNPS" and not was_made(child)
        placed = span.label not in PEOPLE and re.search(
            rf"\b{_WHERE}{re.escape(name)}\b", doc.text, re.IGNORECASE
        )
        if written and alone and not placed and may_be_person(doc, span):
            return span
    return None


def person_above(doc: "Doc", sentence: "Sentence", mention: dict[int, Span]) -> str:
    """Give the person whose name is all of the line above a paragraph, "" for none."""
    at = sentence.start - 1
    while at > 0 and doc[at].is_space:
        at -= 1
    span = mention.get(at)
    if span is None or span.label not in PEOPLE or span.end != at + 1:
        return ""
    name = " ".join(doc[span.start : span.end].text.split())
    begins = span.start == 0 or "\n" in doc[span.start - 1].text
    return name if begins and PERSON.fullmatch(name) and may_be_person(doc, span) else ""


def same_before(pronoun: "Token") -> "Token | None":
    """Find the subject of its sentence, where that is the same pronoun, before it."""
    for child in pronoun.sent.root.children:
        if child.dep_ in SUBJECTS and child.i < pronoun.i and child.lower_ in HE:
            return child if (child.lower_ in _SHE) == (pronoun.lower_ in _SHE) else None
    return None


class Sexes:
    """Who was "he" and who was "she" so far."""

    def __init__(self) -> None:
        self._is_she = dict[str, bool]()

    def fits(self, name: str, pronoun: "Token") -> bool:
        """Find out whether somebody may be meant, who may have been "he" where it is "she" now."""
        is_she = pronoun.lower_ in _SHE
        return bool(name) and self._is_she.get(name, is_she) == is_she

    def note(self, name: str, pronoun: "Token") -> None:
        """Remember what somebody was called, where a sentence or clause is about them."""
        if name and (pronoun.dep_ in SUBJECTS or pronoun.is_sent_start):
            self._is_she.setdefault(name, pronoun.lower_ in _SHE)

    def last(self, pronoun: "Token") -> str:
        """Give the last one who was called so, "" for none."""
        is_she = pronoun.lower_ in _SHE
        named = (n for n, was in reversed(self._is_she.items()) if was == is_she)
        return next((name for name in named if PERSON.fullmatch(name)), "")

    def forget(self) -> None:
        """Begin anew, with another paragraph."""
        self._is_she.clear()
