"""The parameters of GNN-Ret and RGNN-Ret that training fits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from ...kg.store import Graph
from ...kg.types import LinkKind
from ...models.encoder import Encoder
from ..fitted import FittedFormat
from .gnn_ret import EDGES, GnnRet
from .rgnn import Rgnn


@dataclass(frozen=True, slots=True)
class GnnParameters:
    """α of each layer and β, with the setting they were fitted in.

    Args:
        beta: of RGNN; None when there were no sub-questions to fit it to.
        step_alphas: α of each layer in the steps of RGNN, fitted with β; empty without.
    """

    alphas: tuple[float, ...]
    beta: float | None = None
    step_alphas: tuple[float, ...] = ()
    senders: int = 5
    kinds: tuple[LinkKind, ...] = EDGES

    def retriever(self, graph: Graph, encoder: Encoder) -> GnnRet:
        """Make GNN-Ret as it was fitted."""
        return GnnRet(graph, encoder, self.alphas, len(self.alphas), self.senders, self.kinds)

    def recurrent(self, graph: Graph, encoder: Encoder) -> Rgnn:
        """Make RGNN as it was fitted: its α are GNN-Ret's, and its β the paper's, where not."""
        alphas, beta = (
            self.step_alphas or self.alphas,
            Rgnn.beta if self.beta is None else self.beta,
        )
        return Rgnn(graph, encoder, alphas, len(alphas), self.senders, self.kinds, beta=beta)

    def to_record(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {
            "alphas": list(self.alphas),
            "beta": self.beta,
            "step_alphas": list(self.step_alphas),
            "senders": self.senders,
            "kinds": list(self.kinds),
        }

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> "GnnParameters":
        """Read the parameters that `to_record` gave.

        Raises:
            KeyError, TypeError, ValueError: it gave something else, or a parameter is out of range.
        """
        beta = record["beta"]
        read = GnnParameters(
            tuple(float(alpha) for alpha in record["alphas"]),
            None if beta is None else float(beta),
            tuple(float(alpha) for alpha in record["step_alphas"]),
            int(record["senders"]),
            tuple(map(str, record["kinds"])),  # pyright: ignore[reportArgumentType]
        )
        shares = [*read.alphas, *read.step_alphas, 1.0 if read.beta is None else read.beta]
        sound = read.senders > 0 and read.alphas and all(0 <= share <= 1 for share in shares)
        if not sound or not set(read.kinds) <= set(get_args(LinkKind)):
            raise ValueError("a parameter is out of its range")
        return read


GNN_RET = FittedFormat(
    "gnn-ret",
    "parameters of GNN-Ret",
    ("alphas", "beta", "step_alphas", "senders", "kinds", "encoder", "provenance"),
    GnnParameters.to_record,
    GnnParameters.from_record,
)
