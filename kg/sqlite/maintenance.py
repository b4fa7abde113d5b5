"""`kg.maintenance.Upkeep` on SQLite."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from ..graph_info import already, check_dimension, check_encoder, check_target
from ..maintenance import Embedded, Problem, Record
from ..records import not_empty
from ..types import Fingerprint, Vector
from . import check, reembed
from . import migrate as sqlite_migrate
from . import restore as sqlite_restore
from .file import SqliteFile, read_info


class SqliteUpkeep:
    """What `SqliteStore` does beyond answering questions."""

    where: str
    _file: SqliteFile
    _expected: Fingerprint | None = None

    # -- moved whole
    def restore(
        self, records: Iterable[Record], progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Write into an empty graph what `records` of any store gave, in one transaction."""
        self._expected = None  # the records say which encoder
        with self._writing(create=True) as db:
            if held := sqlite_restore.holds(db):
                raise not_empty(self.where, held)
            return sqlite_restore.restore(db, records, progress)

    # -- brought up to date
    def migrate(self) -> bool:
        """Make a graph of an older version one of this version; whether it was."""
        with self._file.reading() as db:
            if not sqlite_migrate.outdated(db):
                return False
        with self._writing():
            return True

    def obstacles(self) -> list[str]:
        """What `migrate` of an older graph would fail for."""
        with self._file.reading() as db:
            return sqlite_migrate.obstacles(db)

    # -- of one encoder, and moved to another
    def expect(self, fingerprint: Fingerprint) -> None:
        """Vectors given from now on are of this encoder."""
        if fingerprint != self._expected:
            with self._file.reading() as db:
                if info := read_info(db):
                    check_encoder(self.where, info.fingerprint, fingerprint)
            self._expected = fingerprint

    def begin_reembedding(self, fingerprint: Fingerprint) -> None:
        """Go on with the vectors of this encoder; what was begun for another is thrown away."""
        with self._writing() as db:
            info = read_info(db)
            if info is not None and info.fingerprint == fingerprint:
                raise already(self.where, fingerprint)
            reembed.begin(db, fingerprint)

    def reembedding(self) -> Fingerprint | None:
        """The encoder a begun move goes to."""
        with self._file.reading() as db:
            return None if sqlite_migrate.outdated(db) else reembed.target(db)

    def not_reembedded(self, kind: Embedded, limit: int, after: str = "") -> dict[str, str]:
        """Texts that still lack the new vector, by id, sorted."""
        with self._file.reading() as db:
            return reembed.lacking(db, kind, limit, after)

    def count_not_reembedded(self) -> int:
        """How many texts still lack the new vector."""
        with self._file.reading() as db:
            return reembed.count_lacking(db)

    def keep_reembedded(
        self, fingerprint: Fingerprint, kind: Embedded, texts: Mapping[str, str], vectors: Vector
    ) -> None:
        """Keep new vectors; what reads otherwise now is passed over."""
        with self._writing() as db:
            check_target(self.where, reembed.target(db), fingerprint)
            check_dimension(self.where, fingerprint.dimension, vectors)
            reembed.keep(db, kind, texts, vectors)

    def finish_reembedding(self, fingerprint: Fingerprint) -> bool:
        """Put the new vectors in the place of the old ones, in one transaction."""
        with self._writing() as db:
            return reembed.finish(db, self.where, fingerprint)

    def not_embedded(self, limit: int, after: str = "") -> dict[str, str]:
        """Texts of triples without a vector, by id, sorted."""
        with self._file.reading() as db:
            return reembed.not_embedded(db, limit, after)

    # -- checked and mended
    def problems(
        self, quick: bool = False, progress: Callable[[str], None] = lambda what: None
    ) -> list[Problem]:
        """Everything wrong with the graph and its file."""
        around = check.around(self._file)
        with self._file.reading() as db:
            return around + check.problems(db, quick, progress)

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        """Mend without loss what is mendable, in one transaction; what was mended."""
        if not self._file.exists():
            return []
        with self._file.writing() as db:
            return check.repair(db, progress)

    # -- inside
    @contextmanager
    def _writing(self, create: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction that writes, and first brings an older graph up to date."""
        with self._file.writing(create) as db:
            if sqlite_migrate.outdated(db):
                sqlite_migrate.migrate(db, self.where)
            yield db

    def _check_vectors(self, db: sqlite3.Connection, *given: Vector) -> None:
        """These vectors, or any, are of the graph's encoder as this transaction sees it."""
        info = read_info(db)
        if info is None:
            return
        if self._expected is not None:
            check_encoder(self.where, info.fingerprint, self._expected)
        for vectors in given:
            check_dimension(self.where, info.fingerprint.dimension, vectors)
