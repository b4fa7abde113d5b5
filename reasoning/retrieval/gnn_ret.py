"""GNN-Ret: a passage's distance to the question comes down with that of its nearest neighbour.

Source: Li et al., Graph Neural Network Enhanced Retrieval for Question Answering of LLMs, §3.1–3.2.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.types import LinkKind, Scored, Vector
from ...models.encoder import Encoder

EDGES: tuple[LinkKind, ...] = ("NEXT", "SHARES_KEYWORD")  # §3.1: structure and shared keywords
MAX_LAYERS = 100  # what a passage gathers from further away is lost in rounding


@dataclass(frozen=True)
class GnnRet:
    """Passes messages: h = α h + (1 - α) min over relevant neighbours, from h = 1 - cosine.

    Args:
        alpha: what a passage keeps of its own distance, in every layer or one for each; fitted by
            `training.gnn_ret`.
        layers: L, how far a message travels.
        senders: K, the nearest passages, which alone send (relevant nodes sampling).
        kinds: edges that messages take; "NAMES" (links by title) goes beyond the paper.
        pool: how many nearest passages are looked at first; more when these don't decide.

    Raises:
        BadRequest: a setting is out of its range, or there is not one alpha a layer.
    """

    graph: Graph
    encoder: Encoder
    alpha: float | tuple[float, ...] = 0.5  # §4.1
    layers: int = 1  # §4.1; two and three in appendix F
    senders: int = 5  # §4.1 and appendix C
    kinds: tuple[LinkKind, ...] = EDGES
    pool: int = 100
    name: ClassVar[str] = "gnn"

    def __post_init__(self) -> None:
        if min(self.layers, self.senders, self.pool) < 1:
            raise BadRequest("GNN-Ret needs at least one layer, one sender and a pool of one.")
        if self.layers > MAX_LAYERS:
            raise BadRequest(f"GNN-Ret has at most {MAX_LAYERS} layers, not {self.layers}.")
        if len(self.alphas) != self.layers:
            raise BadRequest(
                f"GNN-Ret has {self.layers} layers and {len(self.alphas)} alphas; give one alpha "
                "for all layers, or one for each."
            )
        if not all(0 <= alpha <= 1 for alpha in self.alphas):
            raise BadRequest(f"An alpha of GNN-Ret lies between 0 and 1: {self.alpha}.")

    @property
    def alphas(self) -> tuple[float, ...]:
        """The α of each layer."""
        if isinstance(self.alpha, tuple):
            return self.alpha
        return (self.alpha,) * self.layers

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever. The score is 1 - the integrated distance."""
        vector = self.encoder.encode_queries([question])[0]
        found = self.integrated(vector, within).smallest(limit)
        return [Scored(id_, 1 - distance) for id_, distance in found]

    def integrated(self, vector: Vector, within: Collection[str] | None = None) -> "Distances":
        """Return the integrated distances to a question's vector (d,) after all layers."""
        distances = Distances(self.graph, vector, within, self.pool)
        for alpha in self.alphas:
            senders = [id_ for id_, _ in distances.smallest(self.senders)]
            distances.known |= self.graph.propagate(
                distances.known, senders, alpha, vector, self.kinds, within
            )
        return distances


class Distances:
    """Distances of all passages to a vector; those are fetched that it takes to tell the smallest.

    Args:
        graph: whose passages.
        vector: float32 (d,), unit length.
        within: only these passages.
        pool: how many are fetched first.
    """

    def __init__(
        self, graph: Graph, vector: Vector, within: Collection[str] | None, pool: int
    ) -> None:
        self.known: dict[str, float] = {}
        """By passage id: every distance that is not 1 - cosine, and what was fetched."""
        self.fetched = -math.inf
        """What was not fetched is this far at least; infinite when all was."""
        self._firsts: dict[str, str] = {}  # by passage id: what all its copies share
        self._graph = graph
        self._vector = vector
        self._within = within
        self._next = pool

    def smallest(self, count: int) -> list[tuple[str, float]]:
        """Return the nearest passages with their distances, of copies the first, ties by id."""
        if count <= 0:
            return []
        while True:
            found = self._distinct(count)
            # Passing messages also takes some further away: then others, not seen yet, are nearer.
            if self.fetched == math.inf or (len(found) == count and found[-1][1] < self.fetched):
                return found
            self.fetch_more(count)

    def _distinct(self, count: int) -> list[tuple[str, float]]:
        lacking = [id_ for id_ in self.known if id_ not in self._firsts]
        copies = self._graph.copies(lacking) if lacking else {}
        self._firsts |= {id_: copies.get(id_, [id_])[0] for id_ in lacking}
        nearest: dict[str, tuple[str, float]] = {}
        for one in sorted(self.known.items(), key=lambda known: (known[1], known[0])):
            nearest.setdefault(self._firsts[one[0]], one)
            if len(nearest) == count:
                break
        return list(nearest.values())

    def of(self, ids: Collection[str]) -> dict[str, float]:
        """Return the distances of these passages, as far as they are in the graph."""
        lacking = [id_ for id_ in ids if id_ not in self.known]
        if lacking:
            found = self._graph.nearest_passages(self._vector, len(lacking), lacking)
            self.known |= {scored.id: 1 - scored.score for scored in found}
        return {id_: self.known[id_] for id_ in ids if id_ in self.known}

    def fetch_more(self, count: int) -> None:
        """Fetch more of the nearest passages, at least twice as many as are asked for."""
        limit = max(self._next, 2 * count)
        found = self._graph.nearest_passages(self._vector, limit, self._within)
        for scored in found:
            self.known.setdefault(scored.id, 1 - scored.score)
        self.fetched = 1 - found[-1].score if len(found) >= limit else math.inf
        self._next = 2 * limit
