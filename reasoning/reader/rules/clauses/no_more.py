"""Denials that are said by another verb, or with a reason: "We have stopped selling maps, as …"."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .ellipsis import DENIES

if TYPE_CHECKING:
    from spacy.tokens import Token

_STOP = frozenset({"stop", "cease", "discontinue"})
_REASONS = frozenset({"because", "as", "since"})
_AGAIN = re.compile(
    r"\b(?:again|once more|resum\w+|restart\w*|re-?introduc\w+|reinstat\w+|until|till|later)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1\d|20)\d\d")


def without_reason(clause: "Sequence[Token]") -> "Sequence[Token]":
    """A clause without the reason that ends it: ", because the office has no safe"; or none."""
    for n in range(1, len(clause) - 1):
        token = clause[n]
        if token.lower_ in _REASONS and token.dep_ == "mark" and clause[n - 1].text == ",":
            return clause[: n - 1]
    return []


def has_stopped(clause: "Sequence[Token]") -> "list[Token]":
    """What a clause says is done no more: "we sell maps" of "We have stopped selling maps".

    None where it is denied or joined to something else, or was taken up again.
    """
    verb = next((t for t in clause if t.lemma_.lower() in _STOP and t.dep_ == "ROOT"), None)
    if verb is None or verb.conjuncts or any(t.lower_ in DENIES for t in clause):
        return []
    done = verb.doc[verb.i + 1 : verb.i + 2].text
    if not done.endswith("ing") or _AGAIN.search(verb.doc[verb.i :].text):
        return []
    helps = {t for t in verb.children if t.dep_ in ("aux", "auxpass")}
    if any(t.tag_ == "MD" or t.lower_ == "to" for t in helps):
        return []  # "We may stop selling maps"
    told = [t for t in clause if t != verb and t not in helps]
    while told and told[-1].is_punct:
        told.pop()
    if len(told) > 2 and _YEAR.fullmatch(told[-1].text) and told[-2].lower_ in ("in", "since"):
        return told[:-2]
    return told
