"""How trained span readers take the candidates: see `models.span_reader`."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ...models.span_reader import SpanReader, SpanScores
from .asked.question import Asked
from .excerpts import excerpts
from .pages import Page

SPANS = (
    "span",  # the best mention's score, above there being no answer in its passage
    "span_lead",  # … above the best stretch of all passages
    "span_apart",  # … above the best that does not touch it
    "span_share",  # log of its probability among all stretches of its passage, and none of them
    "alone",  # its best score in a sentence that was read alone; without one, as in its passage
    "alone_share",  # … the log of its probability there
    "alone_lead",  # … and above the best stretch of the sentences that were read alone
    "alone_apart",  # … above the best of those that does not touch it
)
_FLOOR = 15.0  # of a score, either way
_MORE = 5  # stretches that become candidates, of all passages
_A_PAGE = 3  # … of one
_ALONE = 3  # sentences that are read alone, too
_BEHIND = 8.0  # … not one whose stretch is so far behind the best
_A_SENTENCE = 2  # stretches that become candidates, of each

Stretch = tuple[float, str, int, int]
"""(score, passage id, first character, one past the last)."""
Place = tuple[Page, int, int]


@dataclass(frozen=True)
class Spans:
    """What the span readers say of a question's pages.

    Args:
        scores: of passages, by id; one that holds nothing likely was not read.
        alone: of sentences that were read alone, by passage id and the sentence's first character.
    """

    scores: Mapping[str, SpanScores]
    alone: Mapping[tuple[str, int], SpanScores] = field(default_factory=dict)

    @functools.cached_property
    def stretches(self) -> list[Stretch]:
        """The best of all pages, best first."""
        found = (
            (score, id_, start, end)
            for id_, of in self.scores.items()
            for score, start, end in of.best(_A_PAGE)
        )
        return sorted(found, reverse=True)[:_MORE]

    @functools.cached_property
    def of_sentences(self) -> list[Stretch]:
        """The best of the sentences that were read alone, best first."""
        found = (
            (score, id_, first + start, first + end)
            for (id_, first), of in self.alone.items()
            for score, start, end in of.best(_A_SENTENCE)
        )
        return sorted(found, reverse=True)

    def more(self, page: Page) -> Iterable[tuple[int, int]]:
        """The characters of both in a page, each once."""
        both = chain(self.stretches, self.of_sentences)
        return dict.fromkeys((start, end) for _, id_, start, end in both if id_ == page.id)

    def signs(self, places: Sequence[Place]) -> list[float]:
        """Values of SPANS for what stands at some places of pages."""
        told = [(self.scores[p.id].of(a, b), p.id) for p, a, b in self._read(places)]
        score, id_ = max(told, default=(-_FLOOR, ""))
        share = score - self.scores[id_].total if told else -_FLOOR
        alone, alone_share = max(self._alone(places), default=(score, share))
        lead, apart = _lead_over(score, self.stretches, places)
        values = score, lead, apart, share, alone, alone_share
        values = *values, *_lead_over(alone, self.of_sentences, places)
        return [max(-_FLOOR, min(_FLOOR, value)) for value in values]

    def _alone(self, places: Sequence[Place]) -> Iterator[tuple[float, float]]:
        """Score and share of what stands at some places, in sentences that were read alone."""
        for page, start, end in places:
            first = page.starts[page.sentence_at(start)] if end else 0
            of = self.alone.get((page.id, first))
            if of is not None and end:
                score = of.of(start - first, end - first)
                yield score, score - of.total

    def score(self, places: Iterable[Place]) -> float:
        """The best score of what stands at some places of pages."""
        told = (self.scores[p.id].of(a, b) for p, a, b in self._read(places))
        return max(told, default=-_FLOOR)

    def _read(self, places: Iterable[Place]) -> Iterator[Place]:
        """Those of pages of which anything was read."""
        return (one for one in places if one[2] and one[0].id in self.scores)


def _lead_over(
    score: float, best: Sequence[Stretch], places: Sequence[Place]
) -> tuple[float, float]:
    """How far a score is above the best stretch (0 at most), and above the best elsewhere.

    Where there is none it is compared to there being no answer, which is 0.
    """
    rivals = (
        rival
        for rival, other, start, end in best
        if not any(p.id == other and a < end and start < b for p, a, b in places)
    )
    return min(0.0, score - (best[0][0] if best else 0.0)), score - next(rivals, 0.0)


def read(
    of_texts: SpanReader, of_sentences: SpanReader, asked: Asked, pages: Sequence[Page]
) -> Spans:
    """Ask about excerpts of the pages, each under its title and heading, and about sentences.

    Those of the best stretches are read once more, alone, by a larger network that could not read
    as much as all pages as fast: what else a passage says misleads at times.
    """
    texts = excerpts(asked, pages)
    scores = of_texts.read(asked.text, [(_above(e.page), e.text) for e in texts])
    spans = Spans({e.page.id: e.in_page(s) for e, s in zip(texts, scores, strict=True)})
    of = {page.id: page for page in pages}
    told = dict.fromkeys(
        (id_, of[id_].sentence_at(start))
        for score, id_, start, _ in spans.stretches
        if score > spans.stretches[0][0] - _BEHIND
    )
    likeliest = list(told)[:_ALONE]
    read_alone = of_sentences.read(
        asked.text, [(_above(of[id_], number), of[id_].texts[number]) for id_, number in likeliest]
    )
    places = [(id_, of[id_].starts[number]) for id_, number in likeliest]
    return replace(spans, alone=dict(zip(places, read_alone, strict=True)))


def _above(page: Page, sentence: int | None = None) -> str:
    """What stands above a page or one of its sentences: title, heading, and whom it speaks of."""
    passage, called = page.passage, page.called
    names = called.get(sentence, ()) if sentence is not None else chain(*called.values())
    return ", ".join(filter(None, (passage.title, passage.heading, *dict.fromkeys(names))))
