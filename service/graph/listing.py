"""The documents of a graph as lists show them: sorted, a page at a time."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.text.words import fold
from ...kg.types import DocumentInfo
from ...kg.where import Condition, matching
from ..hits import ListedDocument

Order = Literal["source", "title", "newest"]
ORDERS: tuple[Order, ...] = ("source", "title", "newest")


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of documents, and of how many."""

    documents: list[ListedDocument]
    total: int


def listed(
    graph: Graph,
    conditions: Sequence[Condition] = (),
    order: Order = "source",
    limit: int | None = None,
    offset: int = 0,
) -> Listing:
    """List documents that fulfil all conditions.

    The graph is read page by page; no more than `offset + limit` documents are held at once.

    Raises:
        BadRequest: an order there is not.
        NotFound: there are documents, and none fulfils the conditions.
    """
    if order not in ORDERS:
        raise BadRequest(f"Documents come by {', '.join(ORDERS)}, not by {order!r}.")
    counter = _Counted(matching(graph, conditions))
    if limit is None:
        found = sorted(counter, key=lambda one: _place(one, order), reverse=order == "newest")
    else:
        first = heapq.nlargest if order == "newest" else heapq.nsmallest
        found = first(offset + limit, counter, key=lambda one: _place(one, order))
    found = found[offset:]
    counts = graph.passage_counts([document.id for document in found])
    return Listing([_entry(document, counts) for document in found], counter.seen)


def _place(document: DocumentInfo, order: Order) -> tuple[str, ...]:
    if order == "newest":
        return (document.ingested_at, document.id)
    source, title = document.source, fold(document.title)
    ends = (source, title) if order == "source" else (title, source)
    return (*ends, document.id)


def _entry(document: DocumentInfo, counts: Mapping[str, int]) -> ListedDocument:
    passages = counts.get(document.id, 0)
    place = document.title, document.source, passages, document.ingested_at
    return ListedDocument(document.id, *place, document.metadata)


class _Counted:
    """What is iterated over, and how many that were."""

    def __init__(self, items: Iterator[DocumentInfo]) -> None:
        self._items, self.seen = items, 0

    def __iter__(self) -> Iterator[DocumentInfo]:
        for item in self._items:
            self.seen += 1
            yield item
