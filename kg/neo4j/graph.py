"""What store and maintenance share: the graph on a server as this process knows it."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from neo4j.exceptions import Neo4jError

from ..errors import BadRequest, SchemaMismatch, StoreUnavailable
from ..graph_info import check_dimension, check_encoder, check_version, info_record
from ..types import SCHEMA_VERSION, Fingerprint, GraphInfo, Vector
from . import rows, write
from .migrate import PREFIXED, migrate, read_info
from .records import records
from .reembed import check_settled
from .restore import check_unchanged, check_whole, nodes
from .server import Neo4jServer
from .statements import Row, Statements

Result = TypeVar("Result")

NOTHING: Row = {"found": (), "triples": (), "passages": 0, "frequencies": ()}
NOTHING |= dict.fromkeys(("ids", "cosines", "titles", "keys", "covered", "bm25", "ways"), ())
"""What statements that read vectors find in a graph that is not there."""


class ServedGraph:
    """The graph on a server: its GraphInfo as last seen, and the encoder its vectors must be of.

    Args:
        server: where it is.
    """

    def __init__(self, server: Neo4jServer) -> None:
        self.server = server
        self.where = server.where
        self._info: GraphInfo | None = None
        self._expected: Fingerprint | None = None
        self.links_items = False  # whether it was seen to have an index of items

    # -- GraphInfo
    def look(self, run: Statements) -> Row | None:
        """Read GraphInfo's properties, which may have changed; refuse a newer version's."""
        return self.seen(read_info(run))

    def seen(self, row: Row | None) -> Row | None:
        """Remember GraphInfo's properties, which a statement brought along; refuse as `look`."""
        if row is None:
            self._info = None
            return None
        if "migrating" in row:  # from that version; not all of its nodes have today's labels
            row = row | {"schema_version": row["migrating"]}
        check_version(self.where, row["schema_version"])
        check_whole(self.where, row)
        self._info = rows.info(row)
        return row

    def info(self) -> GraphInfo | None:
        """Read GraphInfo."""
        row = self.server.read(self.look)
        return rows.info(row) if row else None

    def known(self) -> GraphInfo | None:
        """Return GraphInfo as last seen."""
        if self._info is None:
            self.server.read(self.look)
        return self._info

    def older(self) -> bool:
        """Find out whether an older version wrote the graph."""
        info = self.known()
        return info is not None and info.schema_version < SCHEMA_VERSION

    def check_chosen(self) -> None:
        """Make no graph beside what others keep where the user did not name the server.

        Raises:
            BadRequest: a variable of other programs named it, and it holds something of theirs.
        """
        variable = self.server.variables.graph
        if variable and (count := self.server.read(_others)):
            raise BadRequest(
                f"{self.where}, which {variable} names, holds {nodes(count)} and no graph of "
                f"Hoptrail. To make one beside them say so: --graph {self.where}; "
                "--graph hoptrail.db makes it in a file."
            )

    def forget(self) -> None:
        """Know nothing any more, as another graph will be in its place."""
        self._info = self._expected = None
        self.links_items = False

    # -- transactions
    def read(self, work: Callable[[Statements], Result]) -> Result:
        """Do `work` in a transaction that reads; refuse a graph of a version it can't read."""
        self._readable()
        return self.server.read(work)

    def write(self, work: Callable[[Statements], Result]) -> Result:
        """Do `work` while no other transaction writes, in a graph of this version."""

        def locked(run: Statements) -> Result:
            check_settled(self.where, write.lock(run, self.where))
            return work(run)

        if self.older():
            self.migrate()
        return self.server.write(locked)

    def migrate(self) -> None:
        """Make a graph of an older version one of this version."""
        migrate(self.server)
        self.server.read(self.look)

    def _readable(self) -> GraphInfo | None:
        """Return GraphInfo as last seen.

        Raises:
            SchemaMismatch: the graph is so old that its nodes have other labels.
        """
        info = self.known()
        if info is not None and info.schema_version < PREFIXED:
            self.server.read(self.look)  # perhaps another process has brought it up to date
            if self.older():
                raise SchemaMismatch(
                    f"{self.where} was made by an older version, whose labels other programs may "
                    "use, too. `hoptrail doctor --fix` gives its nodes labels of their own "
                    f"({self.server.prefix}Passage, …) and brings it up to date; so does whatever "
                    "writes into it (`ingest`, `remove`, `train`)."
                )
        return self._info

    # -- vectors
    def expect(self, fingerprint: Fingerprint) -> None:
        """See Graph.expect."""
        if fingerprint != self._expected:
            if row := self.server.read(self.look):
                check_settled(self.where, row)
                check_encoder(self.where, rows.info(row).fingerprint, fingerprint)
            self._expected = fingerprint

    def check_vectors(self, row: Row | None, vectors: Vector | None = None) -> None:
        """Make sure that these vectors, or any, are of the encoder that GraphInfo's `row` names.

        Raises:
            EncoderMismatch: they are not.
            StoreUnavailable: the graph is just being moved to another encoder.
        """
        if row is None:
            return
        check_settled(self.where, row)
        held = rows.info(row).fingerprint
        if self._expected is not None:
            check_encoder(self.where, held, self._expected)
        if vectors is not None:
            check_dimension(self.where, held.dimension, vectors)

    def near(self, vector: Vector | None, name: str, /, **parameters: object) -> Row:
        """Return the row of a statement that reads vectors, all of the given one's encoder.

        Its column `info` is read after them, and sees what was committed by then: a move to another
        encoder that had not begun had changed none of them.
        """
        info = self._readable()
        if info is None:
            return NOTHING
        if vector is not None and vector.shape[-1] != info.fingerprint.dimension:
            self.check_vectors(self.server.read(self.look), vector)
        try:
            [row] = self.server.ask(name, **parameters)
        except (Neo4jError, StoreUnavailable):  # the index may be gone, or of another dimension
            self.check_vectors(self.server.read(self.look), vector)
            raise
        self.check_vectors(self.seen(row["info"]), vector)
        return row

    # -- everything
    def records(self) -> Iterator[Row]:
        """See Maintenance.records; page by page, and refused where the graph changes meanwhile."""
        changes = self._changes()
        if info := self.info():
            self._check_unmoved(info)
            yield info_record(info)
        yield from records(self.read)
        if info:
            self._check_unmoved(info)
            check_unchanged(self.where, changes, self._changes())

    def _changes(self) -> int:
        """How many times documents were added or removed."""
        row = self.server.read(self.look)
        return row.get("changes", 0) if row else 0

    def _check_unmoved(self, info: GraphInfo) -> None:
        """What is read over several transactions is of one encoder.

        Raises:
            StoreUnavailable: it was moved to another, or is being moved.
        """
        row = self.server.read(self.look)
        if row is not None:
            check_settled(self.where, row)
        if self._info is None or self._info.fingerprint != info.fingerprint:
            raise StoreUnavailable(
                f"The graph in {self.where} was moved to another encoder meanwhile; "
                "repeat the command."
            )


def _others(run: Statements) -> int:
    """How many nodes there are where there is no graph."""
    return 0 if read_info(run) else run("info/nodes")[0]["nodes"]
