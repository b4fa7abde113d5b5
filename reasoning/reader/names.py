"""Strings as the reader compares them."""

import functools
from collections import Counter

from ...kg.text.words import words

_ARTICLES = frozenset({"a", "an", "the"})


@functools.lru_cache(maxsize=1 << 14)
def key(text: str) -> str:
    """Fold a text to words without articles, joined by single blanks.

    Mentions of one key are one candidate.
    """
    return " ".join(word for word in words(text) if word not in _ARTICLES)


def inside(part: str, whole: str) -> bool:
    """Tell whether one key occurs in another at word boundaries."""
    return bool(part) and f" {part} " in f" {whole} "


def overlap(first: str, second: str) -> float:
    """Return the token F1 of two keys, 0 to 1."""
    a, b = first.split(), second.split()
    common = sum((Counter(a) & Counter(b)).values())
    return 2 * common / (len(a) + len(b)) if common else 0.0


def same_name(first: str, second: str) -> bool:
    """Tell whether two keys are mostly the same words: a middle name does not part them.

    Other first words do: "Hugh Stafford, 2nd Earl" is not "Thomas Stafford, 3rd Earl".
    """
    if overlap(first, second) < 0.6:
        return False
    a, b = first.split(), second.split()
    return a[0] in b or b[0] in a
