"""How questions put a chain of relations: to ask them and to understand them."""

import functools
import re
from dataclasses import dataclass

from .wording import meant

NOUN_PHRASES = {
    "author": ("the author of {}", "the person who wrote {}"),
    "birthplace": ("the town where {} was born", "the place of birth of {}"),
    "teacher": ("the teacher of {}", "the person who taught {}"),
    "spouse": ("the spouse of {}",),
    "setting": ("the town where {} is set", "the setting of {}"),
    "river": ("the river that crosses {}", "the river of {}"),
    "founder": ("the founder of {}", "the person who founded {}"),
}
ASKED = {
    "author": ("Who wrote {}?",),
    "birthplace": ("Where was {} born?", "In which town was {} born?"),
    "birth_year": ("When was {} born?", "In which year was {} born?"),
    "teacher": ("Who taught {}?", "Who was the teacher of {}?"),
    "spouse": ("Who married {}?",),
    "river": ("Which river crosses {}?", "On which river does {} lie?"),
    "founder": ("Who founded {}?",),
    "founded": ("When was {} founded?",),
    "mouth": ("What does {} flow into?", "Where does {} end?"),
    "region": ("In which region is {}?", "Which region does {} belong to?"),
    "occupation": ("What was the occupation of {}?",),
    "setting": ("Where is {} set?",),
}
EARLIER = ("Who was born earlier, {} or {}?", "Which of the two was born first, {} or {}?")
SAME = "Were {} and {} born in the same town?"
SHARED = "In which town were both {} and {} born?"
CLAIM = "Supported or refuted: {} is {}."


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks for: from a name along relations.

    Args:
        branches: (name, relations), one for each side of a comparison.
        verdict: "" for the end of the only branch, "earlier", "same", "shared" for the end of
            both, or "claim".
        told: what a claim says that the end of the only branch is.
    """

    branches: tuple[tuple[str, tuple[str, ...]], ...]
    verdict: str = ""
    told: str = ""


def compared(draw: float) -> str:
    """One of the forms of "born earlier", by a number from 0 to 1."""
    return EARLIER[int(draw * len(EARLIER))]


@functools.lru_cache(maxsize=4096)
def understood(question: str) -> Query | None:
    """The query a question puts, None for a form that is not known."""
    for form in EARLIER:
        if sides := _fitting(form, question):
            return Query(tuple(_branch(side, "birth_year") for side in sides), "earlier")
    if sides := _fitting(SAME, question):
        return Query(tuple(_branch(side, "birthplace") for side in sides), "same")
    if sides := _fitting(SHARED, question):
        return Query(tuple(_branch(side, "birthplace") for side in sides), "shared")
    if (claim := _fitting(CLAIM, question)) and (inner := _unwrapped(claim[0])):
        return Query((_branch(inner[1], inner[0]),), "claim", claim[1])
    for relation, forms in ASKED.items():
        for form in forms:
            if phrase := _fitting(form, question):
                return Query((_branch(phrase[0], relation),))
    return None


def _branch(phrase: str, last: str) -> tuple[str, tuple[str, ...]]:
    path = [last]
    while inner := _unwrapped(phrase):
        relation, phrase = inner
        path.insert(0, relation)
    return meant(phrase), tuple(path)


def _unwrapped(phrase: str) -> tuple[str, str] | None:
    for relation, forms in NOUN_PHRASES.items():
        for form in forms:
            if inner := _fitting(form, phrase):
                return relation, inner[0]
    return None


def _fitting(form: str, text: str) -> tuple[str, ...] | None:
    match = re.fullmatch(re.escape(form).replace(r"\{\}", "(.+)"), text)
    return match.groups() if match else None
