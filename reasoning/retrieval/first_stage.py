"""Dense, BM25 and hybrid retrieval: passages that a question finds before any hop.

Source of the hybrid's scaling: docs/retrieval.md (half dense, half full text, each scaled to the
question's own best).
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Protocol

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.text import language
from ...kg.types import Scored, Vector
from ...models.encoder import Encoder, english_only
from .copies import check_near, distinct


class Retriever(Protocol):
    """Ranks passages for a question.

    One that remembers a question's earlier queries has `remembering()`, which makes the retriever
    of one question; one that asks the language model has `asking(order)`, which does likewise.
    """

    name: ClassVar[str]

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages for a question, best first, ties by id.

        Args:
            limit: how many at most; 0 or less gives none.
            within: only these passage ids.
        """
        ...


def weight_of(dense: float, foreign: float, encoder: Encoder, question: str) -> float:
    """Weigh the dense half, by `foreign` at most where the encoder can't read the question."""
    if dense > foreign and english_only(encoder) and language.foreign(question):
        return foreign
    return dense


@dataclass(frozen=True)
class Dense:
    """Ranks passages by the cosine similarity of question and passage.

    Args:
        near: see `copies.distinct`.
    """

    graph: Graph
    encoder: Encoder
    near: float = 1.0
    name: ClassVar[str] = "dense"

    def __post_init__(self) -> None:
        check_near(self.near)

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever."""
        vector = self.encoder.encode_queries([question])[0]
        return distinct(
            self.graph,
            lambda depth: self.graph.nearest_passages(vector, depth, within),
            limit,
            self.near,
        )


@dataclass(frozen=True)
class BM25:
    """Ranks passages by the store's full-text search over title (twice) and text.

    Args:
        near: see `copies.distinct`.
    """

    graph: Graph
    encoder: Encoder | None = None
    near: float = 1.0
    name: ClassVar[str] = "bm25"

    def __post_init__(self) -> None:
        check_near(self.near)

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever."""
        return distinct(
            self.graph,
            lambda depth: self.graph.keyword_search(question, depth, within),
            limit,
            self.near,
        )


@dataclass(frozen=True)
class Hybrid:
    """Ranks by ½ dense + ½ full text, scaled so that a question's best is 1 and its 100th is 0.

    Args:
        pool: how deep each list goes; dense may fall below 0 for what only full text found, full
            text is 0 outside its pool.
        dense: weight of the dense half.
        foreign: at most, of a question in another language where the encoder is the packaged one.
        near: see `copies.distinct`.

    Raises:
        BadRequest: a setting is out of its range.
    """

    graph: Graph
    encoder: Encoder
    pool: int = 100
    dense: float = 0.5
    foreign: float = 0.1
    near: float = 1.0
    name: ClassVar[str] = "hybrid"

    def __post_init__(self) -> None:
        check_near(self.near)
        if self.pool < 1 or not (0 <= self.dense <= 1 and 0 <= self.foreign <= 1):
            raise BadRequest("Hybrid needs a pool of one, a dense from 0 to 1, and such a foreign.")

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever."""
        vector = self.encoder.encode_queries([question])[0]
        return distinct(
            self.graph,
            lambda depth: self._ranked(question, vector, depth, within),
            limit,
            self.near,
        )

    def _ranked(
        self, question: str, vector: Vector, limit: int, within: Collection[str] | None
    ) -> list[Scored]:
        near = self.graph.nearest_passages(vector, max(self.pool, limit) + 1, within)
        text = self.graph.keyword_search(question, self.pool, within)
        if not near:
            return []
        cosine = {scored.id: scored.score for scored in near}
        unseen = [scored.id for scored in text if scored.id not in cosine]
        if unseen:
            more = self.graph.nearest_passages(vector, len(unseen), unseen)
            cosine |= {scored.id: scored.score for scored in more}
        floor, best = near[: self.pool + 1][-1].score, near[0].score
        dense = {id_: _scaled(score, floor, best) for id_, score in cosine.items()}
        lowest = text[-1].score if len(text) >= self.pool else 0.0
        full = {s.id: _scaled(s.score, lowest, text[0].score) for s in text}
        weight = weight_of(self.dense, self.foreign, self.encoder, question)
        scores = [
            Scored(id_, weight * value + (1 - weight) * full.get(id_, 0.0))
            for id_, value in dense.items()
        ]
        return sorted(scores, key=lambda s: (-s.score, s.id))


def _scaled(score: float, lowest: float, best: float) -> float:
    return (score - lowest) / (best - lowest + 1e-9)
