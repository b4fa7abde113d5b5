"""GNN-Ret's message passing in memory, with the derivatives by α and β that training needs.

Retrieval itself passes messages in the store (Graph.propagate).
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...kg.store import Graph
from ...kg.types import LinkKind, Vector

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

POOL = 100  # nearest passages of each question; farther ones join when a message reaches them


class Chain:
    """The part of the graph that a question's steps see: nearest passages, their neighbours.

    Args:
        graph: where distances and edges come from, each fetched once.
        vectors: float32 (steps, d), of the sub-questions or of the question alone.
        supporting: ids of passages that the graph holds.
        senders: K.
        kinds: edges that messages take.
    """

    def __init__(
        self,
        graph: Graph,
        vectors: Vector,
        supporting: Sequence[str],
        senders: int,
        kinds: Sequence[LinkKind],
    ) -> None:
        self.vectors = vectors
        self.supporting = supporting
        self._graph = graph
        self._senders = senders
        self._kinds = kinds
        self._ids: list[str] = []
        self._place: dict[str, int] = {}
        self._own: Floats = np.empty((len(vectors), 0))  # 1 - cosine
        self._neighbours: dict[int, Places] = {}
        near = (scored.id for vector in vectors for scored in graph.nearest_passages(vector, POOL))
        self._see([*supporting, *near])
        self.targets = self._targets(supporting)
        """For each step, places of the passages that it and later ones need (§3.3, Y of t+)."""

    def pass_on(self, parameters: Floats) -> list[tuple[Floats, Floats]]:
        """Return for each step integrated distances (n,), derivatives (layers + 1, n).

        Args:
            parameters: α of each layer, then β.
        """
        steps = [self._layers(step, parameters) for step in range(len(self.vectors))]
        passed: list[tuple[Floats, Floats]] = []
        beta = parameters[-1]
        for step, (short, short_slopes) in enumerate(steps):
            # What a later step brought into view received nothing in this one.
            more = self._own[step, len(short) :]
            distances = np.append(short, more)
            slopes = np.pad(short_slopes, ((0, 0), (0, len(more))))
            if passed:
                before, before_slopes = passed[-1]
                slopes = beta * slopes + (1 - beta) * before_slopes
                slopes[-1] += distances - before
                distances = beta * distances + (1 - beta) * before
            passed.append((distances, slopes))
        return passed

    def ranked(self, parameters: Floats, limit: int) -> list[str]:
        """Rank passage ids, the nearest of each step in turn (`limit` of each)."""
        orders = [
            np.argsort(distances, kind="stable")[:limit].tolist()
            for distances, _ in self.pass_on(parameters)
        ]
        turns = (place for turn in zip(*orders, strict=False) for place in turn)
        return [self._ids[place] for place in dict.fromkeys(turns)]

    def _layers(self, step: int, parameters: Floats) -> tuple[Floats, Floats]:
        distances = self._own[step].copy()
        slopes = np.zeros((len(parameters), len(distances)))
        for layer, alpha in enumerate(parameters[:-1]):
            senders = np.argsort(distances, kind="stable")[: self._senders]
            self._look_around(senders)
            more = self._own[step, len(distances) :]
            distances = np.append(distances, more)
            slopes = np.pad(slopes, ((0, 0), (0, len(more))))
            source = np.full(len(distances), -1)
            for sender in senders[::-1]:  # the nearest is heard, so it speaks last
                source[self._neighbours[int(sender)]] = sender
            heard = np.flatnonzero(source >= 0)
            own, message = distances[heard], distances[source[heard]]
            slopes[:, heard] = alpha * slopes[:, heard] + (1 - alpha) * slopes[:, source[heard]]
            slopes[layer, heard] += own - message
            distances[heard] = alpha * own + (1 - alpha) * message
        return distances, slopes

    def _look_around(self, senders: Places) -> None:
        new = {self._ids[s]: int(s) for s in senders if int(s) not in self._neighbours}
        if not new:
            return
        near: dict[str, set[str]] = {id_: set() for id_ in new}
        for link in self._graph.neighbours(list(new), self._kinds):
            if link.source in near:
                near[link.source].add(link.target)
            if link.target in near:
                near[link.target].add(link.source)
        self._see(sorted(set().union(*near.values())))
        for id_, place in new.items():
            self._neighbours[place] = np.array([self._place[n] for n in sorted(near[id_])], int)

    def _see(self, ids: Iterable[str]) -> None:
        new = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._place]
        if not new:
            return
        columns = []
        for vector in self.vectors:
            scored = self._graph.nearest_passages(vector, len(new), new)
            cosines = {one.id: one.score for one in scored}
            columns.append([1 - cosines[id_] for id_ in new])
        self._own = np.hstack([self._own, np.array(columns)])
        for id_ in new:
            self._place[id_] = len(self._ids)
            self._ids.append(id_)

    def _targets(self, supporting: Sequence[str]) -> list[Places]:
        """Each step is taken to find the nearest of those that none before it found (app. B)."""
        left = np.array(sorted({self._place[id_] for id_ in supporting}), int)
        targets = []
        for own in self._own:
            targets.append(left)
            left = np.delete(left, np.argmin(own[left])) if len(left) else left
        return targets
