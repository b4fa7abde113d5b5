"""How questions put a chain of relations: to ask them and to understand them."""

import functools
import re
from dataclasses import dataclass

from .language import LANGUAGE, Forms, Language
from .wording import meant


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


@functools.lru_cache(maxsize=4096)
def understood(question: str, language: Language = LANGUAGE) -> Query | None:
    """The query a question puts, None for a form that is not known."""
    pairs = (
        ("earlier", "birth_year", language.earlier),
        ("same", "birthplace", language.same),
        ("shared", "birthplace", language.shared),
    )
    for verdict, relation, forms in pairs:
        if sides := _fitting(forms, question):
            return Query(tuple(_branch(side, relation, language) for side in sides), verdict)
    claim = _fitting(language.claim, question)
    if claim and (inner := _relation(language.noun_phrases, claim[0])):
        return Query((_branch(inner[1], inner[0], language),), "claim", claim[1])
    if found := _relation(language.asked, question):
        return Query((_branch(found[1], found[0], language),))
    return None


def _branch(phrase: str, last: str, language: Language) -> tuple[str, tuple[str, ...]]:
    path = [last]
    while inner := _relation(language.noun_phrases, phrase):
        relation, phrase = inner
        path.insert(0, relation)
    return meant(phrase), tuple(path)


def _relation(forms: Forms, text: str) -> tuple[str, str] | None:
    """Which relation is asked for, and of what."""
    for relation, each in forms.items():
        if inner := _fitting(each, text):
            return relation, inner[0]
    return None


def _fitting(forms: tuple[str, ...], text: str) -> tuple[str, ...] | None:
    match = _compiled(forms).fullmatch(text)
    return tuple(part for part in match.groups() if part is not None) if match else None


@functools.cache
def _compiled(forms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(form).replace(r"\{\}", "(.+)") for form in forms))
