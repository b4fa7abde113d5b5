"""Figures that a sentence lists, and what each of them is told of."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...kg.text.words import stems

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_ITEM = re.compile(r"(?:[^,;()]|,(?=\d))+")
_FIGURE = re.compile(r"\d[\d.,]*(?<=\d)(?: ?(%|°?[A-Za-z]+|€))?")
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)


class _Item(NamedTuple):
    """A part of a sentence with a figure: its place, what that counts, what is asked of it."""

    start: int
    end: int
    unit: str
    said: frozenset[str]


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
    items = list(_items(text, asked))
    own = next((item for item in items if start < item.end and item.start < end), None)
    if own is None or not any(map(str.isdigit, text[start:end])):
        return False
    before = frozenset[str]().union(*(item.said for item in items if item.start <= own.start))
    for item in items:
        if item is own or item.unit != own.unit:
            continue
        beside = item.start == own.end + 1 and text[own.end] == "("  # "3 GB for A (2 GB if packed)"
        if item.start > own.start and item.said - (own.said if beside else before):
            return True
        if item.start < own.start and item.said - own.said and own.said <= item.said:
            return True
    return False


def _items(text: str, asked: frozenset[str]) -> Iterator[_Item]:
    for item in _ITEM.finditer(text):
        figures = _FIGURE.search(item.group())
        if figures:
            unit = (figures.group(1) or "").casefold()
            yield _Item(*item.span(), unit, asked.intersection(stems(item.group())))


def out_of_turn(sentence: "Span", start: int, end: int, asked: frozenset[str]) -> bool:
    """Whether a figure is not the one that "respectively" gives to what is asked about.

    Of "A and B take 3 and 8 respectively" 3 is A's and 8 is B's; where the question says neither or
    both, nothing is.

    Args:
        start: of the figure in the document of the sentence, in characters; end as above.
        asked: stems of the question.
    """
    if not _RESPECTIVELY.search(sentence.text):
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
