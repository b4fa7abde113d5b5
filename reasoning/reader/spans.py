"""How a trained span reader takes the candidates: see `models.span_reader`."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...models.span_reader import SpanReader, SpanScores
from .pages import Page

SPANS = (
    "span",  # the best mention's score, above there being no answer in its passage
    "span_lead",  # … above the best stretch of all passages
    "span_apart",  # … above the best that does not touch it
    "span_share",  # log of its probability among all stretches of its passage, and none of them
)
_FLOOR = 15.0  # of a score, either way
_MORE = 5  # stretches that become candidates, of all passages
_A_PAGE = 3  # … of one


@dataclass(frozen=True)
class Spans:
    """What the span reader says of a question's pages.

    Args:
        scores: by passage id.
    """

    scores: Mapping[str, SpanScores]

    @functools.cached_property
    def stretches(self) -> list[tuple[float, str, int, int]]:
        """The best of all pages: (score, passage id, start, end)."""
        found = (
            (score, id_, start, end)
            for id_, of in self.scores.items()
            for score, start, end in of.best(_A_PAGE)
        )
        return sorted(found, reverse=True)[:_MORE]

    def more(self, page: Page) -> Iterator[tuple[int, int]]:
        """The characters of those in a page."""
        return ((start, end) for _, id_, start, end in self.stretches if id_ == page.id)

    def signs(self, places: Sequence[tuple[Page, int, int]]) -> list[float]:
        """Values of SPANS for what stands at some places of pages."""
        told = [(self.scores[p.id].of(a, b), p.id) for p, a, b in places if b]
        score, id_ = max(told, default=(-_FLOOR, ""))
        best = self.stretches[0][0] if self.stretches else 0.0
        rivals = (
            rival
            for rival, other, start, end in self.stretches
            if not any(p.id == other and a < end and start < b for p, a, b in places)
        )
        share = score - self.scores[id_].total if told else -_FLOOR
        values = score, min(0.0, score - best), score - next(rivals, 0.0), share
        return [max(-_FLOOR, min(_FLOOR, value)) for value in values]

    def score(self, places: Iterable[tuple[Page, int, int]]) -> float:
        """The best score of what stands at some places of pages."""
        told = (self.scores[p.id].of(a, b) for p, a, b in places if b)
        return max(told, default=-_FLOOR)


def read(reader: SpanReader, question: str, pages: Sequence[Page]) -> Spans:
    """Ask the span reader about the pages' texts, each under its title and heading."""
    above = [", ".join(filter(None, (p.passage.title, p.passage.heading))) for p in pages]
    scores = reader.read(question, [(a, p.text) for a, p in zip(above, pages, strict=True)])
    return Spans({p.id: s for p, s in zip(pages, scores, strict=True)})
