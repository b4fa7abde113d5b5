"""Whether a figure counts another thing than the one that a question counts."""

from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.counted import ANYTHING, may_be, number_of
from ..pages import Page
from .another_sort import headings, is_said

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_NUMBERS = frozenset({"number", "numbers"})


def counts_another(
    page: Page, sentence: int, found: "Span", counted: frozenset[str], above: frozenset[str]
) -> bool:
    """Whether a figure counts another thing, and nothing around it says the one asked about.

    Of "40 passengers per trip" that is how many suitcases go on a trip, of "the number of pages is
    63" the number of questions.

    Args:
        found: the figure, or what it stands in.
        counted: stems of the noun that the question counts.
        above: the stems of title and heading.
    """
    if not counted or (noun := _noun(page.spans[sentence], found)) is None:
        return False
    said = page.said[sentence].union(above, stems(headings(page, sentence)[0]))
    if any(is_said(like, said) for stem in counted for like in may_be(stem)):
        return False
    own = frozenset(stems(f"{noun.text} {noun.lemma_}"))
    return bool(own) and ANYTHING.isdisjoint(own) and not _one_in_the_other(own, counted)


def _one_in_the_other(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether a word ends in another: "hives" and "beehives"."""
    pairs = [(a.removesuffix("e"), b.removesuffix("e")) for a in first for b in second]
    return any(a.endswith(b) or b.endswith(a) for a, b in pairs)


def _noun(sentence: "Span", found: "Span") -> "Token | None":
    """The noun that a figure counts: "40 passengers", "the number of pages is 63"."""
    figure = next((t for t in found if t.like_num), None)
    if figure is None:
        return None
    if figure.dep_ == "nummod" and figure.head.pos_ == "NOUN" and figure.head.i > figure.i:
        return figure.head
    noun = None
    for token in sentence.doc[sentence.start : figure.i]:
        if token.lower_ in _NUMBERS:
            noun = number_of(token)
        elif token.like_num:
            noun = None
    return noun
