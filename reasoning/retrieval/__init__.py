"""Retrievers find the passages that a question needs."""

from collections.abc import Callable
from typing import Any

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...models.encoder import Encoder
from ..registry import RETRIEVERS, parse
from .first_stage import BM25, Dense, Hybrid, Retriever
from .gnn_parameters import GNN_RET
from .gnn_ret import GnnRet
from .hop import Hop
from .ranker import Ranker
from .rgnn import Rgnn

__all__ = [
    "BM25",
    "RETRIEVERS",
    "AnyRetriever",
    "Dense",
    "GnnRet",
    "Hop",
    "Hybrid",
    "Ranker",
    "Retriever",
    "Rgnn",
    "configured",
    "retriever",
]

AnyRetriever = str | Retriever | Callable[[Graph, Encoder], Retriever]
"""A word ("hop:shares=0.5"), a retriever, or what makes one of a graph and an encoder: `Hop`,
`functools.partial(Hop, shares=0.5)`."""


def configured(spec: str, graph: Graph, encoder: Encoder) -> Retriever:
    """Make the retriever of that name, with the settings the spec gives: "hop", "gnn:layers=2".

    Raises:
        BadRequest: no such name or setting (the message lists those there are), or a value that the
            setting does not take.
    """
    kind, settings = parse(spec, RETRIEVERS)
    return kind(graph, encoder, **settings)


def retriever(chosen: AnyRetriever, graph: Graph, encoder: Encoder) -> Retriever:
    """Make the retriever that is chosen; one that is made already is given back as it is.

    A word that sets nothing ("gnn", "rgnn") means the retriever as it was fitted to this graph,
    where it was.

    Raises:
        BadRequest: as for `configured`, or a retriever that searches another graph.
        EncoderMismatch: it was fitted with, or has, another encoder than the graph's.
    """
    word: Any = getattr(chosen, "name", None) if isinstance(chosen, type) else chosen
    if isinstance(word, str):
        return _named(word, graph, encoder)
    made: Any = chosen(graph, encoder) if callable(chosen) else chosen
    if not callable(getattr(made, "search", None)):
        raise BadRequest(f"{made!r} is no retriever; give its name, or one made with this graph.")
    where = getattr(made, "graph", graph).where
    if where != graph.where:
        raise BadRequest(
            f"The retriever {made.name} searches {where}, not {graph.where}; make it with this "
            "graph: Hop(hop.store, hop.encoder)."
        )
    if (own := getattr(made, "encoder", None)) is not None:
        graph.expect(own.fingerprint)
    return made


def _named(spec: str, graph: Graph, encoder: Encoder) -> Retriever:
    made, settings = configured(spec, graph, encoder), parse(spec, RETRIEVERS)[1]
    if settings or not isinstance(made, GnnRet):
        return made
    fitted = GNN_RET.stored(graph, encoder)
    if fitted is None:
        return made
    found = fitted.parameters
    make = found.recurrent if isinstance(made, Rgnn) else found.retriever
    return make(graph, encoder)
