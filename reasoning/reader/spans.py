"""How a trained span reader takes the candidates: see `models.span_reader`."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...models.span_reader import SpanReader, SpanScores
from .pages import Page

SPANS = (
    "span",  # the best mention's score, above there being no answer in its passage
    "span_lead",  # … above the best stretch of all passages
    "span_apart",  # … above the best that does not touch it
    "span_share",  # log of its probability among all stretches of its passage, and none of them
    "alone",  # its best score in a sentence that was read alone; without one, as in its passage
    "alone_share",  # … and the log of its probability there
)
_FLOOR = 15.0  # of a score, either way
_MORE = 5  # stretches that become candidates, of all passages
_A_PAGE = 3  # … of one
_ALONE = 2  # sentences that are read alone, too


@dataclass(frozen=True)
class Spans:
    """What the span reader says of a question's pages.

    Args:
        scores: by passage id.
        alone: of sentences that were read alone, by passage id and the sentence's number.
    """

    scores: Mapping[str, SpanScores]
    alone: Mapping[tuple[str, int], SpanScores] = field(default_factory=dict)

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
        alone = max(self._alone(places), default=(score, share))
        values = score, min(0.0, score - best), score - next(rivals, 0.0), share, *alone
        return [max(-_FLOOR, min(_FLOOR, value)) for value in values]

    def _alone(self, places: Sequence[tuple[Page, int, int]]) -> Iterator[tuple[float, float]]:
        """Score and share of what stands at some places, in sentences that were read alone."""
        for page, start, end in places:
            number = page.sentence_at(start)
            of = self.alone.get((page.id, number))
            if of is not None and end:
                first = page.starts[number]
                score = of.of(start - first, end - first)
                yield score, score - of.total

    def score(self, places: Iterable[tuple[Page, int, int]]) -> float:
        """The best score of what stands at some places of pages."""
        told = (self.scores[p.id].of(a, b) for p, a, b in places if b)
        return max(told, default=-_FLOOR)


def read(reader: SpanReader, question: str, pages: Sequence[Page]) -> Spans:
    """Ask the span reader about the pages' texts, each under its title and heading.

    The sentences of the best stretches are read once more, alone: what else a passage says misleads
    it at times, and the two seldom err alike.
    """
    above = {p.id: ", ".join(filter(None, (p.passage.title, p.passage.heading))) for p in pages}
    scores = reader.read(question, [(above[p.id], p.text) for p in pages])
    spans = Spans({p.id: s for p, s in zip(pages, scores, strict=True)})
    of = {page.id: page for page in pages}
    told = dict.fromkeys((id_, of[id_].sentence_at(start)) for _, id_, start, _ in spans.stretches)
    likeliest = list(told)[:_ALONE]
    texts = [(above[id_], of[id_].texts[number]) for id_, number in likeliest]
    return replace(spans, alone=dict(zip(likeliest, reader.read(question, texts), strict=True)))
