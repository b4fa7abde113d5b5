"""Retrievers find the passages that a question needs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...models.encoder import Encoder
from ...models.language import LanguageModel
from ..registry import RETRIEVERS, parse, settings_of
from .first_stage import BM25, Dense, Hybrid, Retriever
from .gnn_parameters import GNN_RET
from .gnn_ret import GnnRet
from .hop import Hop
from .ranker import Ranker
from .rgnn_ret import ModelQuestioner, RgnnRet

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
    "RgnnRet",
    "configured",
    "described",
    "retriever",
]

AnyRetriever = str | Retriever | Callable[[Graph, Encoder], Retriever]
"""A word ("hop:shares=0.5"), a retriever, or what makes one of a graph and an encoder: `Hop`,
`functools.partial(Hop, shares=0.5)`."""


def configured(
    spec: str, graph: Graph, encoder: Encoder, model: LanguageModel | None = None
) -> Retriever:
    """Make the retriever of that name, with the settings the spec gives: "hop", "gnn:layers=2".

    Args:
        model: answers what a retriever asks one; only "rgnn" does.

    Raises:
        BadRequest: no such name or setting (the message lists those there are), a value that the
            setting does not take, or no model where one is needed.
    """
    kind, settings = parse(spec, RETRIEVERS)
    if kind is not RgnnRet:
        return kind(graph, encoder, **settings)
    if model is None:
        raise BadRequest(
            "The retriever rgnn asks a language model for sub-questions: give --model file.gguf, "
            "or HOPTRAIL_MODEL (docs/models.md), or take another retriever."
        )
    return RgnnRet(graph, encoder, ModelQuestioner(model), **settings)


def retriever(
    chosen: AnyRetriever,
    graph: Graph,
    encoder: Encoder,
    model: LanguageModel | None = None,
) -> Retriever:
    """Make the retriever that is chosen; one that is made already is given back as it is.

    A word that sets nothing ("gnn", "rgnn") means the retriever as it was fitted to this graph,
    where it was.

    Raises:
        BadRequest: as for `configured`, or a retriever that searches another graph.
        EncoderMismatch: it was fitted with, or has, another encoder than the graph's.
    """
    word: Any = getattr(chosen, "name", None) if isinstance(chosen, type) else chosen
    if isinstance(word, str):
        return _named(word, graph, encoder, model)
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


def _named(spec: str, graph: Graph, encoder: Encoder, model: LanguageModel | None) -> Retriever:
    made, settings = configured(spec, graph, encoder, model), parse(spec, RETRIEVERS)[1]
    if settings or not isinstance(made, GnnRet | RgnnRet):
        return made
    fitted = GNN_RET.stored(graph, encoder)
    if fitted is None:
        return made
    found = fitted.parameters
    if isinstance(made, GnnRet):
        return found.retriever(graph, encoder)
    beta = made.beta if found.beta is None else found.beta
    return replace(made, gnn=found.step(graph, encoder), beta=beta)


def described(retriever: Retriever) -> dict[str, Any]:
    """Return all that a retriever is set to, by name; of RGNN-Ret also its steps' network."""
    settings = settings_of(retriever)
    if isinstance(retriever, RgnnRet):
        settings["step"] = settings_of(retriever.network)
    return settings
