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
from .copies import first_of_each
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
        while limit > 0:
            found = first_of_each(self.gnn.graph, self._ranked())[:limit]
            far = [step.fetched for step in self._steps]
            # What no step has seen is this far at least; where one has seen all, there is none.
            near = len(found) == limit and 1 - found[-1].score < self._mixed(far)
            if near or math.inf in far:
                return found
            for step in self._steps:
                step.fetch_more(limit)
        return []

    def _ranked(self) -> list[Scored]:
        """What any step has seen, by all steps' distances."""
        ids = sorted(set().union(*(step.known for step in self._steps)))
        steps = [step.of(ids) for step in self._steps]
        mixed = [Scored(id_, 1 - self._mixed(step[id_] for step in steps)) for id_ in ids]
        return sorted(mixed, key=lambda one: -one.score)

    def _mixed(self, distances: Iterable[float]) -> float:
        beta = self.gnn.beta
        return functools.reduce(lambda before, own: beta * own + (1 - beta) * before, distances)
