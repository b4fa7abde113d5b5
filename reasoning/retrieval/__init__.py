"""Retrievers: which passages a question needs."""

from ...kg.errors import BadRequest
from ...kg.store import GraphStore
from ...models.encoder import Encoder
from .first_stage import BM25, Dense, Hybrid, Retriever
from .gnn_ret import GnnRet
from .hop import Hop

__all__ = ["BM25", "RETRIEVERS", "Dense", "GnnRet", "Hop", "Hybrid", "Retriever", "retriever"]

RETRIEVERS: dict[str, type[Dense] | type[BM25] | type[Hybrid] | type[Hop] | type[GnnRet]] = {
    kind.name: kind for kind in (Dense, BM25, Hybrid, Hop, GnnRet)
}
"""By name; adding a retriever is one line."""


def retriever(name: str, graph: GraphStore, encoder: Encoder) -> Retriever:
    """The retriever of that name.

    Raises:
        BadRequest: there is none; the message lists those there are.
    """
    try:
        return RETRIEVERS[name](graph, encoder)
    except KeyError:
        raise BadRequest(f"No retriever {name!r}; there are: {', '.join(RETRIEVERS)}.") from None
