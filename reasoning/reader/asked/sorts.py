"""Nouns told apart by what stands before them: "personnel files" are no "closed files"."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ....kg.text.words import stems

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEFORE = frozenset({"compound", "amod", "nmod"})
GENERAL = frozenset(
    stems(
        "number date name value amount day time people person thing place way kind type total"
        " maximum minimum current exact new old big small many much most more last next first other"
        " main full whole single certain general available possible usual normal regular own good"
        " week month year hour minute right free special different extra annual yearly additional"
    )
)
"""Tell no sort of thing from another, or are no thing."""


class Sort(NamedTuple):
    """A noun of a question, and what tells which of its kind is meant.

    Args:
        behind: it stands behind the noun: "accounts on the mail server".
        of: it is what the noun is of: "the key of the car", "the cat's vet".
    """

    noun: frozenset[str]
    told_by: frozenset[str]
    behind: bool
    of: bool = False


def sorts_of(doc: "Doc") -> tuple[Sort, ...]:
    """Find the nouns of a question that are told apart, in lower case: names are seen to else."""
    return tuple(_sorts(doc))


def _sorts(doc: "Doc") -> Iterator[Sort]:
    for noun in doc:
        own = stems_of([noun]) - GENERAL
        if noun.pos_ != "NOUN" or not own:
            continue
        if before := stems_of(tellers(noun)) - GENERAL:
            yield Sort(own, before, behind=False)
        if whose := stems_of(owners(noun)) - GENERAL:
            yield Sort(own, whose, behind=True, of=True)
        for tie in noun.children:
            if tie.dep_ == "prep" and tie.lower_ != "of":
                things = (t for t in tie.children if t.dep_ == "pobj" and t.pos_ == "NOUN")
                for thing in things:
                    if behind := stems_of([thing, *tellers(thing)]) - GENERAL:
                        yield Sort(own, behind, behind=True)


def tellers(noun: "Token") -> list["Token"]:
    """The words before a noun that tell which of its kind it is."""
    before = [t for t in noun.children if t.dep_ in _BEFORE and t.is_lower and t.is_alpha]
    beside = noun.doc[noun.i - 1] if noun.i else noun
    if beside.pos_ == "NOUN" and beside.dep_ == noun.dep_ == "dobj" and beside.is_lower:
        before.append(beside)  # parsed as two: "Who mended the kitchen tap?"
    return before


def owners(noun: "Token") -> list["Token"]:
    """The nouns that it is of, in lower case: "the key of the car", "the cat's vet"."""
    found = [t for t in noun.children if t.dep_ == "poss"]
    ties = (t for t in noun.children if t.dep_ == "prep" and t.lower_ == "of")
    found += [t for tie in ties for t in tie.children if t.dep_ == "pobj"]
    return [t for one in found if one.pos_ == "NOUN" and one.is_lower for t in (one, *tellers(one))]


def stems_of(tokens: Iterable["Token"]) -> frozenset[str]:
    """The stems of those in lower case."""
    return frozenset(stem for token in tokens if token.is_lower for stem in stems(token.text))
