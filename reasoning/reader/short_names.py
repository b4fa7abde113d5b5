"""What a document names in full once, and then by a part of the name, by "it", or not at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...kg.extraction.tokens import HE, IT, THEY
from ...kg.text.words import stems
from .asked.question import Asked
from .pages import Page

if TYPE_CHECKING:
    from spacy.tokens import Token

_FORMS = frozenset("Mr Mrs Ms Miss Mx Dr Prof Professor Sir Dame Lady Lord".split())
"""Of address: "Mrs Garrioch" is as much of the name as "Garrioch"."""
_ANY_OF_THEM = IT | HE | THEY
_NEAR = 2  # sentences on either side of where a text was split
_ANOTHER = re.compile(
    r"\w+,? (?:(?:and|&) (?:Sons?|Daughters?|Brothers|Sisters|Co|Partners|Company)\b|the [a-z]+\b"
    r"|(?:is|was) an? |Ltd\b|Inc\b|GmbH\b|AG\b)"
)
"""Goes on as another's name: "Moon and Sons", "Iris the cat", "George is a town"."""
Names = dict[str, set[frozenset[str]]]
"""By what recognisers take them for: the words of each that a document says."""


def told_in_full(asked: Asked, pages: Sequence[Page]) -> tuple[Page, ...]:
    """Return the pages, saying a whole name where the question does and they a part.

    "Wilma stepped down" says it of Wilma Garrioch where a passage found of the same document
    names her in full, and no other Wilma; "the Trust" likewise of the Harbour Trust.
    """
    if not asked.called:
        return tuple(pages)
    pages = _going_on(asked, pages)
    asked_for = [name for name in asked.called if " " in name and name.replace(" ", "").isalpha()]
    if not asked_for:
        return tuple(pages)
    told: dict[str, Names] = {}
    for page in pages:
        names = told.setdefault(page.passage.document_id, {})
        for (start, end), label in page.recognised.items():
            names.setdefault(label, set()).add(frozenset(page.text[start:end].split()))
    return tuple(_in_full(page, asked_for, told[page.passage.document_id]) for page in pages)


def _going_on(asked: Asked, pages: Sequence[Page]) -> list[Page]:
    """The pages, saying a name of the question where a triple has it for "it".

    And where the passage goes on with what the last sentences of the one before name.
    """
    known = {(page.passage.document_id, page.passage.position): page for page in pages}
    told = list[Page]()
    for page in pages:
        of, called = page.passage, dict[int, tuple[str, ...]]()
        above = frozenset(stems(f"{of.title} {of.heading}"))
        before = known.get((of.document_id, of.position - 1))
        if before is not None and before.passage.heading == of.heading:
            said = frozenset[str]().union(*before.said[-_NEAR:])
            names = _among(asked, said, page.words | above)
            opening = (n for n in range(_NEAR) if names and _means_another(page, n))
            called = dict.fromkeys(opening, names)
        for number, head in page.heads.items():
            if names := _among(asked, head, page.said[number] | above):
                called[number] = tuple(dict.fromkeys((*called.get(number, ()), *names)))
        told.append(replace(page, called=called) if called else page)
    return told


def _means_another(page: Page, sentence: int) -> bool:
    """Whether a sentence has a word for what was spoken of before: "it", "their"."""
    if sentence >= len(page.spans) or sentence in page.fields:
        return False
    said = page.parsed.lower[slice(*page.parsed.bounds[sentence])]
    return not _ANY_OF_THEM.isdisjoint(said)


def _among(asked: Asked, said: frozenset[str], own: frozenset[str]) -> tuple[str, ...]:
    """The question's names that are said, and of which nothing is said here."""
    names = zip(asked.called, asked.names, strict=True)
    return tuple(name for name, words in names if words <= said and words.isdisjoint(own))


def _in_full(page: Page, asked_for: Sequence[str], told: Names) -> Page:
    """The page, with the names of the sentences that say but a word of one."""
    called = dict(page.called)
    for name in asked_for:
        whole = frozenset(name.split()) - _FORMS
        label = next((label for label, of in told.items() if any(whole <= one for one in of)), "")
        person = label == "PERSON"
        rivals = set[frozenset[str]]().union(*told.values())
        others = (one for one in rivals if len(one) > 1 and not whole <= one)
        words = (whole if person else frozenset(name.split()[-1:])).difference(*others)
        for number in _alone(page, words, person) if label else ():
            called[number] = tuple(dict.fromkeys((*called.get(number, ()), name)))
    return replace(page, called=called) if called != page.called else page


def _alone(page: Page, words: frozenset[str], person: bool) -> Iterator[int]:
    """The sentences where one of some words stands as a name of its own: "Wilma", "the Trust"."""
    doc = page.parsed.tokens
    for token in doc:
        if token.text not in words or token.pos_ != "PROPN":
            continue
        beside = (doc[i] for i in (token.i - 1, token.i + 1) if 0 <= i < len(doc))
        if any(_is_name(one) for one in beside) or _ANOTHER.match(page.text, token.idx):
            continue
        if person or _defined(token):
            yield page.sentence_at(token.idx)


def _is_name(token: "Token") -> bool:
    return token.pos_ == "PROPN" and token.text[:1].isupper() and token.text not in _FORMS


def _defined(token: "Token") -> bool:
    return token.i > 0 and token.nbor(-1).lower_ == "the"
