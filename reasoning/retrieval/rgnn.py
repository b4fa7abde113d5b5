"""RGNN: GNN-Ret that remembers what was looked for before, query after query of one question.

Source: GNN-Ret §3.3, equation 4. The queries are a method's own: sub-questions (RGNN-Ret), thoughts
(IRCoT), whole chains of thought (ITER-RETGEN; appendix G).
"""

import functools
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from ...kg.errors import BadRequest
from ...kg.types import Scored
from .gnn_ret import Distances, GnnRet


@dataclass(frozen=True)
class Rgnn(GnnRet):
    """GNN-Ret whose distances to earlier queries of the same question count as well.

    A query by itself, such as one of `hoptrail search`, is a first one: GNN-Ret's.

    Args:
        beta: weight of a query's own distances, 0 to 1; the other arguments are GNN-Ret's.

    Raises:
        BadRequest: a setting is out of its range.
    """

    beta: float = 0.9  # §4.1
    name: ClassVar[str] = "rgnn"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta <= 1:
            raise BadRequest(f"The beta of RGNN-Ret lies between 0 and 1: {self.beta}.")

    def remembering(self) -> "Recurrence":
        """Make the retriever of one question, which remembers its queries."""
        return Recurrence(self)


@dataclass
class Recurrence:
    """A Retriever with the memory of one question: h_t = β (GNN's at step t) + (1 - β) h_t-1."""

    gnn: Rgnn
    _steps: list[Distances] = field(default_factory=list, init=False)

    @property
    def name(self) -> str:
        """The retriever's name."""
        return self.gnn.name

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages for the next query; see Retriever. The score is 1 - distance."""
        vector = self.gnn.encoder.encode_queries([question])[0]
        self._steps.append(self.gnn.integrated(vector, within))
        return [Scored(id_, 1 - distance) for id_, distance in self._smallest(limit)]

    def _smallest(self, count: int) -> list[tuple[str, float]]:
        if count <= 0:
            return []
        while True:
            ids = sorted(set().union(*(step.known for step in self._steps)))
            steps = [step.of(ids) for step in self._steps]
            mixed = [(id_, self._mixed(step[id_] for step in steps)) for id_ in ids]
            found = sorted(mixed, key=lambda one: (one[1], one[0]))[:count]
            far = [step.fetched for step in self._steps]
            # What no step has seen is this far at least; where one has seen all, there is none.
            if math.inf in far or (len(found) == count and found[-1][1] < self._mixed(far)):
                return found
            for step in self._steps:
                step.fetch_more(count)

    def _mixed(self, distances: Iterable[float]) -> float:
        beta = self.gnn.beta
        return functools.reduce(lambda before, own: beta * own + (1 - beta) * before, distances)
