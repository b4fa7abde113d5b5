"""What is done with a graph as it stands: listed, shown, taken out of, moved."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from ..kg.errors import BadRequest
from ..kg.store import GraphStore
from ..kg.where import conditions, passages_where
from ..models.encoder import Encoder
from .given import at_least, names_of
from .hits import ListedDocument
from .settings import SHOWN, open_store

if TYPE_CHECKING:
    from .graph.link import Linking


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

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._store.where!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connection back; idempotent. Whatever is asked afterwards is an error."""
        self._store.close()
        self._closed = True

    def link(
        self,
        *,
        again: bool = False,
        offline: bool = False,
        refresh: bool = False,
        progress: "Callable[[Linking], None]" = lambda linking: None,
    ) -> "Linking":
        """Link names to the items of Wikidata that they mean, each document for itself.

        Safe to repeat and to interrupt: what is linked is passed over. `store.wikidata` gives the
        links, and takes them out again (docs/wikidata.md).

        Args:
            again: also documents that were linked so before.
            offline: answer from what is kept of the endpoint alone.
            refresh: ask anew for what is kept.
            progress: called after every few documents.

        Raises:
            EndpointUnavailable: the endpoint of HOPTRAIL_SPARQL can't answer.
        """
        from .graph.link import link, opened

        linker, properties = opened(offline, refresh, self.encoder)
        named = repr(self.encoder.fingerprint)
        return link(self.store, linker, properties, encoder=named, again=again, progress=progress)

    def state(
        self,
        pids: Collection[str] | None = None,
        *,
        offline: bool = False,
        refresh: bool = False,
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> int:
        """Bring what Wikidata states of the linked items into the graph; return how many claims.

        Then finds which properties the documents' relations are (`store`'s parameters keep them).

        Args:
            pids: of these properties alone; None for all that tell something.
            offline: as for `link`.
            refresh: as for `link`.
            progress: called with how many items are done, of how many.

        Raises:
            BadRequest: something is no PID.
            EndpointUnavailable: as for `link`.
        """
        from ..kg.wikidata.values import ids
        from .graph.link import opened, state
        from .graph.relations import relate

        ids(pids or (), "P")  # checks them
        linker, properties = opened(offline, refresh, self.encoder)
        count = state(self.store, linker, properties, pids, progress)
        relate(self.store, properties)
        return count

    def unlink(self, *, statements: bool = False) -> int:
        """Take all links out with items and statements, or the statements alone; say how many."""
        from ..kg.wikidata.relations import KIND

        self.store.forget_parameters(KIND)
        return self.store.wikidata.forget_claims() if statements else self.store.wikidata.unlink()

    def check_encoder(self) -> Encoder:
        """Return the encoder, once it is known to be the one the graph was made with.

        Raises:
            EncoderMismatch: it is another, also one of the same dimension.
        """
        self.store.expect(self.encoder.fingerprint)
        return self.encoder

    def documents(
        self,
        *,
        where: str | Iterable[str] | None = (),
        order: Literal["source", "title", "newest"] = "source",
        limit: int | None = None,
        offset: int = 0,
    ) -> list[ListedDocument]:
        """List the documents of the graph.

        Args:
            where: conditions that all have to hold, as `kg.where.Condition` describes them; None or
                none for all documents:
                `"title~Oslo"`, `["source=handbook/*", "ingested_at>=2026-01-01"]`.
            order: by "source", by "title", or the "newest" first.
            limit: how many at most.
            offset: how many to pass over.

        Raises:
            BadRequest: a limit below 1, an offset below 0, a condition that is none.
            NotFound: there are documents, and none fulfils the conditions.
        """
        from .graph.listing import listed

        limit = limit if limit is None else at_least(1, limit)
        offset = at_least(0, offset, "offset")
        return listed(self.store, conditions(where), order, limit, offset).documents

    def show(self, name: str, *, limit: int = SHOWN) -> list[dict[str, Any]]:
        """Show everything that a name may mean and what surrounds it, as `show --json` does.

        Args:
            name: of an entity in any spelling, a document's title, source or file name, a question
                that was asked, in any case, or an id.
            limit: how many things at most, and how many entries of each of their lists; the
                `left_out` of a thing says how many more of each there are.

        Raises:
            BadRequest: a limit below 1.
            NotFound: the graph holds nothing of that name.
        """
        from .graph.show import surroundings

        return surroundings(self.store, name, at_least(1, limit))

    def forget(self, *names: str, older_than: str = "", everything: bool = False) -> int:
        """Take recorded answers out of the graph, and count them; documents stay as they are.

        Args:
            names: questions by text or id, with all their answers; or answers by id.
            older_than: only those before a date ("2026-01-31", UTC) or an age ("30d"); without
                names, all of these.
            everything: all there are.

        Raises:
            BadRequest: nothing says which.
            NotFound: a name that means no recorded question; nothing is forgotten then.
        """
        from .graph.forgetting import forgettable

        found = forgettable(self.store, names, older_than, everything)
        return self.store.forget_answers([one.id for one in found])

    def _within(
        self, within: Collection[str] | None, where: str | Iterable[str] | None
    ) -> Collection[str] | None:
        """The passages to answer from: those of `within` that are of the documents meant."""
        if not (wanted := conditions(where)):
            return within
        meant = passages_where(self.store, wanted)
        if meant is None or within is None:
            return within if meant is None else meant
        of_these = set(meant)
        return [passage_id for passage_id in within if passage_id in of_these]

    def remove(self, *names: str | Path | Iterable[str | Path]) -> int:
        """Take documents out again, by id, title or source, and count them.

        Args:
            names: one by one or in lists; also the end of a source that one source alone has:
                "handbook.md". A source that could not be read is one, too: its failure is
                forgotten, and counts as a document.

        Raises:
            BadRequest: an empty name, what is none, or the end of several sources; nothing is
                removed then.
            NotFound: a name that means no document; nothing is removed then.
        """
        from .graph.names import forget_failures, removable, unread

        named = list(names_of(names))
        failed = unread(self.store, named)
        rest = [name for name in named if name not in failed]
        ids = {id_ for name in rest for id_ in removable(self.store, name)}
        forget_failures(self.store, failed.values())
        return self.store.remove(sorted(ids)) + len(failed)

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
