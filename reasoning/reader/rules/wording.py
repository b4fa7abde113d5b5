"""A word of the question itself as a relation: "flows" in "Which river flows through Ulm?"."""

import re

from ....kg.text.words import terms
from .relations import Ends, Relation

DIRECTIONS = ("through", "across", "over", "along", "near", "past")
_FOLLOWING = "|".join((*DIRECTIONS, "into", "in", "on", "at", "to", "from", "for", "with"))
MAX_STEM = 6  # letters: "flow", "design", "capita"; a triple may inflect the word otherwise
MIN_STEM = 3  # letters
_BY = r".*\bby$"
_NOT_BY = r"(?!.*\bby$)"
_OF = r".*\bof$"
_NOT_OF = r"(?!.*\bof$)"
_NOT_TO = r"(?!.* (?:to|for|with|from|into)$)"  # "supplies glass to": what is supplied is glass
_SOMEWHERE = r".*\b(?:in|at|near|on)$"


def relation_of(word: str, question: str, at: int, ends: Ends) -> Relation | None:
    """Make the relation whose triples say a word as the question does; None for no such word.

    Who does it to whom must agree too: "Who designed X?" asks for the one who designed X or by
    whom X was designed, never for what X designed.

    Args:
        word: in lower case, as it stands in the question.
        question: in lower case, with blanks for the title of what it speaks of.
        at: where that title stood.
        ends: what a value must look like.
    """
    stems = terms(word)
    if len(stems) != 1 or word.isdigit():
        return None
    stem = stems[0][:MAX_STEM].rstrip("i")  # the stem of "carry" is "carri"
    if len(stem) < MIN_STEM:
        return None
    of = rf"\b{re.escape(word)} of\b|'s {re.escape(word)}\b"
    states, reverse = (
        _of_noun(word, stem) if re.search(of, question) else _of_verb(word, stem, question, at)
    )
    return Relation(word, word, states, reverse, ends)


def _of_noun(word: str, stem: str) -> tuple[str, str]:
    """For "the capital of X" or "the designer of X", who is also the one who designed it."""
    noun = rf"\b{re.escape(word)}\b"
    if not word.endswith(("er", "or")):
        return noun + _NOT_OF, noun + _OF
    said = rf"\b{re.escape(stem)}"
    return rf"{said}{_BY}|{noun}{_NOT_OF}", said + _NOT_BY


def _of_verb(word: str, stem: str, question: str, at: int) -> tuple[str, str]:
    """For "Which river flows through X?", "What did X cross?", "Where does X rise?"."""
    said = rf"\b{re.escape(stem)}"
    goes_on = re.search(rf"\b{re.escape(word)} ({_FOLLOWING})\b", question)
    if goes_on:
        said += rf".*\b{goes_on.group(1)}\b"
    before = question.find(word) < at
    by = re.search(rf"\b{re.escape(word)} by\b|\bby (?:whom|which|what)\b", question)
    if before != bool(by):  # the one asked for does it
        return said + _BY, said + _NOT_BY
    if re.search(r"\bwhere\b", question):
        return said + _SOMEWHERE, ""
    return said + _NOT_BY + (_NOT_TO if not goes_on else ""), said + _BY
