"""Reranking: what another retriever finds is put in order by a model that reads it.

By a cross-encoder, question and passage together, as the rerankers that TRACE compares with; or by
the language model, listwise: in windows from the back, as RankGPT does (Sun et al. 2023).
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.types import Passage, Scored
from ...models.cross_encoder import PairScorer
from ...models.encoder import Encoder
from ..registry import RETRIEVERS, parse
from . import retriever
from .first_stage import Retriever

WINDOW, STEP = 20, 10
"""Passages a prompt, and by how many the next window is nearer to the front (Sun et al.)."""
Order = Callable[[str, Sequence[Passage]], list[int]]
"""Asks the language model: the places of these passages in the order of their use for a query."""


@dataclass(frozen=True)
class Rerank:
    """The best of another retriever, in the order that a model gives them.

    In a word, settings that are not its own are those of the other retriever:
    `rerank:of=hop:near=0.8:depth=30`.

    Args:
        of: the other retriever, in a word.
        depth: how many of its best are put in order; what is below keeps its place.
        model: folder of a cross-encoder that sentence-transformers loads. None is the language
            model that answers; outside a question, as in `search`, there is none.

    Raises:
        BadRequest: depth is below 1, or `of` is no retriever's word.
    """

    graph: Graph
    encoder: Encoder
    of: str = "hop"
    depth: int = 20
    model: str | None = None
    name: ClassVar[str] = "rerank"
    others: ClassVar[str] = "of"

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise BadRequest(f"rerank puts at least 1 passage in order, not depth={self.depth}.")
        parse(self.of, RETRIEVERS)

    @cached_property
    def first(self) -> Retriever:
        """The other retriever."""
        return retriever(self.of, self.graph, self.encoder)

    def asking(self, order: Order | None) -> "Reranking":
        """Make the retriever of one question under way.

        Args:
            order: asks the language model that answers; None where there is none.

        Raises:
            BadRequest: it takes one.
        """
        if self.model is None and order is None:
            raise BadRequest(_NO_MODEL)
        remembering = getattr(self.first, "remembering", None)  # such as RGNN
        return Reranking(self, remembering() if remembering else self.first, order)

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever.

        Raises:
            BadRequest: it takes a language model.
            ModelMissing: the cross-encoder can't be loaded.
        """
        return Reranking(self, self.first, None).search(question, limit, within)


_NO_MODEL = (
    "rerank takes a language model where it names no cross-encoder: set --model and ask, or name a "
    "folder, rerank:model=FOLDER."
)


@dataclass
class Reranking:
    """A Retriever that reranks what `first` finds, for a question under way where `order` is."""

    settings: Rerank
    first: Retriever
    order: Order | None

    @property
    def name(self) -> str:
        """The retriever's name."""
        return self.settings.name

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever. The score is the cross-encoder's, or 1 / rank."""
        if limit < 1:
            return []
        depth = self.settings.depth
        found = self.first.search(question, max(depth, limit), within)
        texts = self.settings.graph.passages([one.id for one in found])
        best = [(one, texts[one.id]) for one in found if one.id in texts][:depth]
        if not best:
            return []
        by = self._by_pairs if self.settings.model else self._by_list
        ranked = by(question, best)
        lowest = ranked[-1].score
        rest = [
            replace(one, score=lowest / (place + 1) if lowest > 0 else lowest - place)
            for place, one in enumerate(found[len(best) :], 1)
        ]
        return [*ranked, *rest][:limit]

    def _by_pairs(self, question: str, best: Sequence[tuple[Scored, Passage]]) -> list[Scored]:
        scorer = PairScorer(self.settings.model or "")
        scores = scorer.scores(question, [f"{p.title}\n{p.text}" for _, p in best])
        scored = [replace(one, score=float(s)) for (one, _), s in zip(best, scores, strict=True)]
        return sorted(scored, key=lambda one: (-one.score, one.id))

    def _by_list(self, question: str, best: Sequence[tuple[Scored, Passage]]) -> list[Scored]:
        if self.order is None:
            raise BadRequest(_NO_MODEL)
        ranked = list(best)
        start = max(0, len(ranked) - WINDOW)
        while True:
            window = ranked[start : start + WINDOW]
            places = self.order(question, [passage for _, passage in window])
            ranked[start : start + WINDOW] = [window[place] for place in places]
            if start == 0:
                break
            start = max(0, start - STEP)
        return [replace(one, score=1 / rank) for rank, (one, _) in enumerate(ranked, 1)]
