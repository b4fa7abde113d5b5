"""Retrievers: which passages a question needs."""

from ...kg.store import Graph
from ...models.encoder import Encoder
from ..registry import RETRIEVERS, parse
from .first_stage import BM25, Dense, Hybrid, Retriever
from .gnn_ret import GnnRet
from .hop import Hop
from .learned import KIND, Learned
from .ranker import Ranker

__all__ = [
    "BM25",
    "RETRIEVERS",
    "Dense",
    "GnnRet",
    "Hop",
    "Hybrid",
    "Ranker",
    "Retriever",
    "configured",
    "retriever",
]


def configured(spec: str, graph: Graph, encoder: Encoder) -> Retriever:
    """The retriever of that name, with the settings the spec gives: "hop", "gnn:layers=2".

    Raises:
        BadRequest: no such name or setting (the message lists those there are), or a value that the
            setting does not take.
    """
    kind, settings = parse(spec, RETRIEVERS)
    return kind(graph, encoder, **settings)


def retriever(spec: str, graph: Graph, encoder: Encoder) -> Retriever:
    """The same, as it was fitted to this graph where it was and the spec sets nothing.

    Raises:
        BadRequest: as for `configured`.
        EncoderMismatch: it was fitted with another encoder.
    """
    if parse(spec, RETRIEVERS) == (GnnRet, {}) and (fitted := graph.parameters(KIND)):
        return Learned.from_json(fitted, graph.where).retriever(graph, encoder)
    return configured(spec, graph, encoder)
