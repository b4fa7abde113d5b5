"""`kg.maintenance.Upkeep` on Neo4j."""

from collections.abc import Callable, Iterable, Mapping

from neo4j.exceptions import Neo4jError

from ..errors import StoreUnavailable
from ..graph_info import check_dimension, check_encoder, check_target, check_version
from ..maintenance import Embedded, Problem, Record
from ..types import SCHEMA_VERSION, Fingerprint, GraphInfo, Vector
from . import check, reembed, rows, write
from .restore import check_whole, restore
from .schema import make_schema, migrate
from .server import Neo4jServer, Row, Statements

NOTHING: Row = {"found": (), "worded": (), "passages": 0, "frequencies": ()}
"""What statements that read vectors find in a graph that is not there."""


class Neo4jUpkeep:
    """What `Neo4jStore` does beyond answering questions."""

    where: str
    _server: Neo4jServer
    _info: GraphInfo | None = None  # as last seen
    _expected: Fingerprint | None = None

    # -- moved whole
    def restore(
        self, records: Iterable[Record], progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Write into an empty graph what `records` of any store gave, over several transactions."""
        self._info = self._expected = None  # the records say which encoder
        return restore(self._server, records, progress)

    # -- brought up to date
    def migrate(self) -> bool:
        """Make a graph of an older version one of this version; whether it was."""
        row = self._server.read(self._look)
        if row is None or row["schema_version"] >= SCHEMA_VERSION:
            return False
        make_schema(self._server, rows.info(row).fingerprint.dimension)
        self._server.write(migrate)
        self._server.read(self._look)
        return True

    def obstacles(self) -> list[str]:
        """None: properties that a node lacks can be given to it."""
        return []

    # -- of one encoder, and moved to another
    def expect(self, fingerprint: Fingerprint) -> None:
        """Vectors given from now on are of this encoder."""
        if fingerprint != self._expected:
            if row := self._server.read(self._look):
                reembed.check_settled(self.where, row)
                check_encoder(self.where, rows.info(row).fingerprint, fingerprint)
            self._expected = fingerprint

    def begin_reembedding(self, fingerprint: Fingerprint) -> None:
        """Go on with the vectors of this encoder; what was begun for another is thrown away."""
        self.migrate()
        reembed.begin(self._server, self.where, fingerprint)

    def reembedding(self) -> Fingerprint | None:
        """The encoder a begun move goes to."""
        row = self._server.read(self._look)
        return reembed.target(row) if row else None

    def not_reembedded(self, kind: Embedded, limit: int, after: str = "") -> dict[str, str]:
        """Texts that still lack the new vector, by id, sorted."""
        return self._server.read(lambda run: reembed.lacking(run, kind, limit, after))

    def count_not_reembedded(self) -> int:
        """How many texts still lack the new vector."""
        return self._server.read(lambda run: run("reembed/count_lacking"))[0]["lacking"]

    def keep_reembedded(
        self, fingerprint: Fingerprint, kind: Embedded, texts: Mapping[str, str], vectors: Vector
    ) -> None:
        """Keep new vectors; what reads otherwise now is passed over."""

        def work(run: Statements) -> None:
            info = write.lock(run, self.where)
            check_target(self.where, reembed.target(info), fingerprint)
            reembed.keep(run, kind, texts, vectors)

        check_dimension(self.where, fingerprint.dimension, vectors)
        self._server.write(work)

    def finish_reembedding(self, fingerprint: Fingerprint) -> bool:
        """Put the new vectors in the place of the old ones, over several transactions."""
        finished = reembed.finish(self._server, self.where, fingerprint)
        self._server.read(self._look)
        return finished

    def not_embedded(self, limit: int, after: str = "") -> dict[str, str]:
        """Texts of triples without a vector, by id, sorted."""
        found = self._server.read(lambda run: run("reembed/not_embedded", limit=limit, after=after))
        return {row["id"]: row["text"] for row in found}

    # -- checked and mended
    def problems(
        self, quick: bool = False, progress: Callable[[str], None] = lambda what: None
    ) -> list[Problem]:
        """Everything wrong with the graph and its server."""
        return check.problems(self._server, quick, progress)

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        """Mend without loss what is mendable, in batches; what was mended."""
        return check.repair(self._server, self.migrate, progress)

    # -- inside
    def _look(self, run: Statements) -> Row | None:
        """The properties of GraphInfo, which may have changed; refuses a newer version's."""
        found = run("info/read")
        return self._seen(found[0]["info"] if found else None)

    def _seen(self, row: Row | None) -> Row | None:
        """The same where a statement brought it along."""
        if row is None:
            self._info = None
            return None
        check_version(self.where, row["schema_version"])
        check_whole(self.where, row)
        self._info = rows.info(row)
        return row

    def _known(self) -> GraphInfo | None:
        """GraphInfo as last seen."""
        if self._info is None:
            self._server.read(self._look)
        return self._info

    def _older(self) -> bool:
        info = self._known()
        return info is not None and info.schema_version < SCHEMA_VERSION

    def _check_vectors(self, row: Row | None, vectors: Vector | None = None) -> None:
        """These vectors, or any, are of the encoder of a graph with these properties."""
        if row is None:
            return
        reembed.check_settled(self.where, row)
        held = rows.info(row).fingerprint
        if self._expected is not None:
            check_encoder(self.where, held, self._expected)
        if vectors is not None:
            check_dimension(self.where, held.dimension, vectors)

    def _near(self, vector: Vector | None, name: str, /, **parameters: object) -> Row:
        """The row of a statement that reads vectors, all of the encoder that the given one is of.

        Its column `info` is read after them, and sees what was committed by then: a move to another
        encoder that had not begun had changed none of them.
        """
        info = self._known()
        if info is None:
            return NOTHING
        if vector is not None and vector.shape[-1] != info.fingerprint.dimension:
            self._check_vectors(self._server.read(self._look), vector)
        try:
            [row] = self._server.read(lambda run: run(name, **parameters))
        except (Neo4jError, StoreUnavailable):  # the index may be gone, or of another dimension
            self._check_vectors(self._server.read(self._look), vector)
            raise
        self._check_vectors(self._seen(row["info"]), vector)
        return row

    def _changes(self) -> int:
        """How many times documents were added or removed."""
        row = self._server.read(self._look)
        return row.get("changes", 0) if row else 0

    def _check_unmoved(self, info: GraphInfo) -> None:
        """What is read over several transactions is of one encoder.

        Raises:
            StoreUnavailable: it was moved to another, or is being moved.
        """
        row = self._server.read(self._look)
        if row is not None:
            reembed.check_settled(self.where, row)
        if self._info is None or self._info.fingerprint != info.fingerprint:
            raise StoreUnavailable(
                f"The graph in {self.where} was moved to another encoder meanwhile; "
                "repeat the command."
            )
