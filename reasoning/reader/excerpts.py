"""Which sentences of its passages the span reader gets: those likeliest to say what is asked.

Reading is most of what a question costs, and it costs as much as what is read is long. Of texts of
several thousand characters, the sentences that share the question's rarest words, or ones alike,
hold what answers it in 19 of 20 questions, in four of five of those in other words (extractive
compression: Xu et al. 2024, "RECOMP", section 3.1, with words for its encoder).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kg.text.words import stems
from ...models.span_reader import SpanScores
from .asked.alike import alike
from .asked.forms import LABELS
from .asked.question import Asked
from .pages import Page

ROOM = 1400  # characters, of all pages together, beyond which the last sentence may go …
ENOUGH = 800  # … beyond which a sentence is left out that is …
_FAINT = 0.2  # … less likely than this share of the likeliest
_ALIKE = 0.5  # what a word like one of the question's counts of that
_BEFORE, _BEHIND = 0.5, 0.25  # a sentence counts for its neighbours: "He was born there in 1871."
_OF_THE_TYPE = 0.15  # what a sentence is ahead that says anything of the type asked for
_OPENING = 0.05  # … and a page's first, which says what the page is about
_A_RANK = 0.05  # … and each page, of the next one
_IN_FIGURES = frozenset({"number", "date"})


@dataclass(frozen=True)
class Excerpt:
    """Sentences of a page, in order, as one text.

    Args:
        places: the page's character of each of the text's.
    """

    page: Page
    text: str
    places: NDArray[np.int64]

    def in_page(self, scores: SpanScores) -> SpanScores:
        """The scores of the text's stretches as those of the page's."""
        first, last = scores.offsets[:, 0], scores.offsets[:, 1] - 1
        offsets = np.stack([self.places[first], self.places[last] + 1], axis=1)
        return replace(scores, offsets=offsets)


class _Word(NamedTuple):
    """A stem of the question, those alike, and what a sentence counts that says it."""

    stem: str
    like: frozenset[str]
    worth: float

    def counts_in(self, said: frozenset[str]) -> float:
        if self.stem in said:
            return self.worth
        return 0.0 if self.like.isdisjoint(said) else _ALIKE * self.worth


def excerpts(asked: Asked, pages: Sequence[Page]) -> list[Excerpt]:
    """Choose among all sentences; a page of which none is chosen has no excerpt."""
    words = _words(frozenset(stems(asked.text)), pages)
    likely = [
        (-value, page.rank, number)
        for page in pages
        for number, value in enumerate(_all(page, words, asked.kind))
    ]
    by_rank = {page.rank: page for page in pages}
    chosen: dict[int, list[int]] = {}
    room, faint = ROOM, -_FAINT * min(likely, default=(0.0,))[0]
    for value, rank, number in sorted(likely):
        if room <= 0 or (ROOM - room > ENOUGH and -value < faint):
            break
        chosen.setdefault(rank, []).append(number)
        start, end = _edges(by_rank[rank], number)
        room -= end - start
    return [_excerpt(page, sorted(chosen[page.rank])) for page in pages if page.rank in chosen]


def _words(asked: frozenset[str], pages: Sequence[Page]) -> list[_Word]:
    """The question's words: the rarer in the sentences, the more one counts; 1 in all."""
    sentences = [said for page in pages for said in page.said]
    worth = {
        stem: math.log(1 + len(sentences) / (1 + sum(stem in said for said in sentences)))
        for stem in asked
    }
    whole = sum(worth.values()) or 1.0
    return [_Word(stem, alike(stem), of_one / whole) for stem, of_one in worth.items()]


def _all(page: Page, words: Sequence[_Word], kind: str) -> Iterator[float]:
    """How likely each sentence is to say what is asked."""
    own = [sum(word.counts_in(said) for word in words) for said in page.said]
    typed = _of_the_type(page, kind)
    for number, of_it in enumerate(own):
        before = _BEFORE * own[number - 1] if number else _OPENING
        behind = _BEHIND * own[number + 1] if number + 1 < len(own) else 0.0
        told = _OF_THE_TYPE if number in typed else 0.0
        yield of_it + before + behind + told - _A_RANK * page.rank


def _of_the_type(page: Page, kind: str) -> frozenset[int]:
    """Numbers of the sentences that say a name or figure of the type asked for."""
    labels = LABELS.get(kind, frozenset[str]())
    named = (place for place, label in page.recognised.items() if label in labels)
    figures = enumerate(page.texts) if kind in _IN_FIGURES else ()
    return frozenset(
        (
            *(page.sentence_at(start) for start, _ in named),
            *(number for number, text in figures if any(c.isdigit() for c in text)),
        )
    )


def _edges(page: Page, number: int) -> tuple[int, int]:
    """A sentence's first character, and the first of the next: all of a text is in one."""
    starts = [0, *page.starts[1:], len(page.text)]
    return starts[number], starts[number + 1]


def _excerpt(page: Page, numbers: Sequence[int]) -> Excerpt:
    edges = [_edges(page, number) for number in numbers]
    text = "".join(page.text[start:end] for start, end in edges)
    return Excerpt(page, text, np.concatenate([np.arange(*edge) for edge in edges]))
