"""`ingest --prune`: documents that are no longer where they came from leave the graph."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..store import Graph
from ..types import Document, Failure


@dataclass
class SeenDocuments:
    """What came by while sources were read.

    Args:
        ids: of documents.
        unread: sources that failed; nothing is known of what they hold.
    """

    ids: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)

    def passing(self, items: Iterable[Document | Failure]) -> Iterator[Document | Failure]:
        """Pass items on, and remember them."""
        for item in items:
            if isinstance(item, Document):
                self.ids.add(item.id)
            else:
                self.unread.append(item.source)
            yield item

    def vanished(self, store: Graph, places: Sequence[str]) -> list[str]:
        """Find the ids of documents in these files or folders that did not come by."""
        return [
            document.id
            for document in store.documents().values()
            if document.id not in self.ids
            and _below(document.source, places)
            and not _below(document.source, self.unread)
        ]


def _below(source: str, places: Iterable[str]) -> bool:
    return any(
        source == place or source.startswith(place.rstrip(os.sep) + os.sep) for place in places
    )
