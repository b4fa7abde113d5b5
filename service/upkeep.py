"""What is done with a graph as it stands: listed, shown, taken out of, moved."""

from pathlib import Path
from typing import Self

from ..kg.errors import BadRequest, NotFound
from ..kg.store import GraphStore
from ..loaders.sources import as_source
from ..models.encoder import Encoder
from .settings import open_store

MAX_DOCUMENTS = 10_000_000  # documents of one source: all there are


class Upkeep:
    """A graph and the encoder of its vectors, opened at first use."""

    def __init__(self, store: GraphStore, encoder: Encoder) -> None:
        self._store, self._closed = store, False
        self.encoder = encoder

    @property
    def store(self) -> GraphStore:
        """The graph.

        Raises:
            BadRequest: it was closed.
        """
        if self._closed:
            raise BadRequest(
                f"This Hoptrail of {self._store.where} is closed. Ask before `close()`, inside the "
                "`with` block, or make another one."
            )
        return self._store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connection back; idempotent. Whatever is asked afterwards is an error."""
        self._store.close()
        self._closed = True

    def remove(self, *names: str) -> int:
        """Take documents out again, by id, title or source, and count them.

        Raises:
            NotFound: a name that means no document; nothing is removed then.
        """
        ids = set()
        if not all(name.strip() for name in names):
            raise BadRequest("An empty name means no document. Nothing was removed.")
        for name in names:
            found = self._documents_called(as_source(name)) or self._documents_called(name)
            if not found:
                raise NotFound(f"No document {name!r} in {self.store.where}. Nothing was removed.")
            ids.update(found)
        return self.store.remove(sorted(ids))

    def _documents_called(self, name: str) -> list[str]:
        found = self.store.find(name, limit=MAX_DOCUMENTS)
        return [thing.id for thing in found if thing.kind == "document"]

    def copy_to(self, where: str | Path | GraphStore) -> int:
        """Copy the whole graph into another store that holds nothing yet; count the records.

        Raises:
            BadRequest: it holds something already; see `service.graph.copy` for the rest.
        """
        from .graph.copy import copy_graph

        if not isinstance(where, str | Path):
            return copy_graph(self.store, where)
        with open_store(where) as target:
            return copy_graph(self.store, target)

    def export(self, file: str | Path, *, vectors: bool = True) -> int:
        """Write the whole graph as sorted JSONL; count the lines. See `service.graph.export`."""
        from .graph.export import export_graph

        return export_graph(self.store, Path(file), vectors=vectors)

    def import_(self, file: str | Path) -> int:
        """Read what `export` wrote into a graph that holds nothing yet; count the lines.

        Raises:
            BadRequest: what is wrong with which line; see `service.graph.export` for the rest.
        """
        from .graph.export import import_graph

        return import_graph(self.store, Path(file), self.encoder)

    def statistics(self) -> dict[str, int]:
        """Count everything the graph holds; see `Graph.statistics`."""
        return self.store.statistics()
