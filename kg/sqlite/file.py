"""The SQLite file under a graph: connections, transactions, and what a failure means to a user."""

import json
import os
import sqlite3
import threading
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from ..errors import BadRequest, HoptrailError, StoreUnavailable
from ..graph_info import check_version, created_by, older, too_old
from ..text.words import encodable
from ..types import SCHEMA_VERSION, Fingerprint, GraphInfo
from .columns import TABLES, declared
from .errors import NO_RIGHT, Damaged, explained, needs_to_write

APPLICATION_ID = 0x484F5054
"""HOPT in the file's header: tells a graph from any other SQLite file."""
_EFFECTIVE = os.access in os.supports_effective_ids
PAGE_CACHE_KIB = 64 * 1024


class SqliteFile:
    """Lends connections to any number of threads; one of them writes at a time.

    Args:
        path: the file; may not exist yet.
        patience: seconds to wait for another process that writes.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self.path = path
        self.patience = patience
        self._idle: list[sqlite3.Connection] = []
        self._lent: set[sqlite3.Connection] = set()  # those that may become idle again
        self._opened: tuple[int, int] | None = None
        self._older = False
        self._still: tuple[int, ...] | None = None
        self._lock = threading.Lock()
        self._writer = threading.Lock()

    def close(self) -> None:
        """Close the connections, lent ones as soon as they are given back.

        The last to close folds the write-ahead log into the file.
        """
        with self._lock:
            idle, self._idle = self._idle, []
            self._lent.clear()
        for connection in idle:
            connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that sees one state of the graph, an empty one where none is yet."""
        with self._explained():
            connection, still = self._borrow() or nothing(), self._still
            with self._transaction(connection, "BEGIN"):
                yield connection
            if still and self._state() != still:
                raise StoreUnavailable(
                    f"{self.path} was changed while it was read without locks (its folder may not "
                    "be written here); repeat the command"
                )

    @contextmanager
    def writing(self, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Lend a connection in a transaction, which ends whole or leaves no trace.

        Raises:
            BadRequest: nobody prepared the graph, and `create` is false.
        """
        with self._explained(), self._writer:
            self.require_rights()
            connection = self._borrow(create, to_write=True)
            if connection is None:
                raise BadRequest(f"{self.path} holds no graph yet; prepare it first")
            with self._transaction(connection, "BEGIN IMMEDIATE"):
                yield connection

    def require_rights(self) -> None:
        """Find out before the work, not after it, that nothing can be written.

        Raises:
            StoreUnavailable: there is a graph that may be read only, or its folder.
        """
        for place in (self.path, self.path.absolute().parent):
            if self.path.exists() and not os.access(place, os.W_OK, effective_ids=_EFFECTIVE):
                raise StoreUnavailable(f"{self.path} {NO_RIGHT} (no right to write {place})")

    def exists(self) -> bool:
        """Find out whether the file holds a graph."""
        with self._explained():
            connection = self._borrow()
            if connection is not None:
                self._give_back(connection)
            return connection is not None

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection, begin: str) -> Iterator[None]:
        try:
            connection.execute(begin)
            yield
            connection.execute("COMMIT")
        except BaseException:
            # Also a commit that failed (disk full, cancelled): the connection is not trusted again.
            with self._lock:
                self._lent.discard(connection)
            connection.close()
            raise
        self._give_back(connection)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if connection in self._lent:
                self._lent.remove(connection)
                self._idle.append(connection)
                return
        connection.close()

    def _borrow(self, create: bool = False, to_write: bool = False) -> sqlite3.Connection | None:
        connection = self._connected(create, to_write)
        if connection is not None:
            with self._lock:
                self._lent.add(connection)
        return connection

    def _connected(self, create: bool, to_write: bool) -> sqlite3.Connection | None:
        there = self._identity()
        if there != self._opened:  # deleted, or another file was put in its place
            self.close()
            self._opened = there
        if self._still and (to_write or self._state() != self._still):
            self.close()
            self._still = None
        with self._lock:
            if self._idle:
                return self._idle.pop()
        if self.path.is_dir():
            raise StoreUnavailable(f"{self.path} is a folder; name a file for the graph")
        if there is None and not create:
            return None
        return self._open(create, to_write)

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def _open(self, create: bool, to_write: bool) -> sqlite3.Connection | None:
        logged = self._logged()  # before: who makes a graph writes the file first
        if logged and self.path.exists() and not self.path.stat().st_size:
            raise Damaged("the file is empty, its write-ahead log is not")
        try:
            return self._checked("rwc" if create else "rw", create)
        except sqlite3.OperationalError as error:
            if to_write or not needs_to_write(error):
                raise
            return self._open_still(error)

    def _open_still(self, error: sqlite3.Error) -> sqlite3.Connection | None:
        """Reading without locks, where SQLite can't keep its write-ahead log beside the file.

        Whether somebody who can changes the file meanwhile is looked at after each reading.
        """
        if self._logged():
            raise StoreUnavailable(
                f"{self.path} has changes in {self.path.name}-wal that can be read only where both "
                f"may be written ({error}); grant that right, or copy both to another folder"
            ) from error
        self._still = self._state()
        return self._checked("ro&immutable=1", create=False)

    def _logged(self) -> int:
        """Bytes in the write-ahead log."""
        try:
            return self.path.with_name(f"{self.path.name}-wal").stat().st_size
        except FileNotFoundError:
            return 0

    def _state(self) -> tuple[int, ...]:
        status = self.path.stat()
        return status.st_ino, status.st_size, status.st_mtime_ns, self._logged()

    def _checked(self, mode: str, create: bool) -> sqlite3.Connection | None:
        connection = self._connection(mode)
        try:
            if self._holds_graph(connection, create):
                set_up(connection)
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None

    def _connection(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=self.patience,
            isolation_level=None,
            check_same_thread=False,
        )

    def _holds_graph(self, connection: sqlite3.Connection, create: bool) -> bool:
        connection.execute("BEGIN")  # one state: another process may be making the graph
        application = _pragma(connection, "application_id")
        objects = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        connection.execute("COMMIT")
        if application == APPLICATION_ID:
            # SQLite misses whole pages at the end, and takes a part of one for a page.
            if self.path.stat().st_size % _pragma(connection, "page_size"):
                raise Damaged("the file ends inside a page")
            self._check_version(connection)
            return True
        if application or objects:
            raise StoreUnavailable(
                f"{self.path} is an SQLite file of another program, not a graph; name another file"
            )
        if create:
            self._create(connection)
        return create

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        if not _pragma(connection, "application_id"):  # else another process was faster
            for statement in schema():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")

    def _check_version(self, connection: sqlite3.Connection) -> None:
        row = connection.execute("SELECT schema_version FROM graph_info").fetchone()
        if row is not None:
            if not isinstance(row[0], int):
                raise Damaged(f"schema version {row[0]!r}")
            check_version(str(self.path), row[0])
            self._older = row[0] < SCHEMA_VERSION

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self.path, self._sound, self._lacking)

    def _lacking(self, what: str) -> HoptrailError | None:
        if not self._older:
            return None
        return (too_old if "no such column" in what else older)(str(self.path), what)

    def _sound(self) -> bool:
        """Whether SQLite finds the file whole; a check of a second for each 100 MB or so."""
        if self._identity() is None:
            return True
        try:
            with closing(self._connection("ro&immutable=1" if self._still else "ro")) as connection:
                found = connection.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as error:
            return needs_to_write(error)  # then nothing is known of it
        except MemoryError:
            return False
        return found == ("ok",)


def insert_info(
    connection: sqlite3.Connection, fingerprint: Fingerprint, by: str | None = None
) -> None:
    """Write the GraphInfo node; `by` is what made the graph, where that is not this version."""
    connection.execute(
        "INSERT INTO graph_info (only, schema_version, fingerprint, created_by) "
        "VALUES (1, ?, ?, ?)",
        (SCHEMA_VERSION, json.dumps(asdict(fingerprint)), created_by() if by is None else by),
    )


def read_info(connection: sqlite3.Connection) -> GraphInfo | None:
    """Read the GraphInfo node, None where nobody prepared the graph."""
    row = connection.execute(
        "SELECT schema_version, fingerprint, created_by FROM graph_info"
    ).fetchone()
    if row is None:
        return None
    return GraphInfo(row[0], Fingerprint(**json.loads(row[1])), row[2])


def put_ids(connection: sqlite3.Connection, ids: Collection[str], table: str = "asked") -> None:
    """Fill the temporary table `asked` or `inside` with distinct ids and their places, for joins.

    Ids that SQLite can't hold are left out: nothing has them.
    """
    connection.execute(f"DELETE FROM temp.{table}")
    if isinstance(ids, str):
        ids = [ids]
    rows = ((one, place) for place, one in enumerate(dict.fromkeys(ids)) if encodable(one))
    connection.executemany(f"INSERT INTO temp.{table} (id, place) VALUES (?, ?)", rows)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def nothing(path: str = ":memory:") -> sqlite3.Connection:
    """Make an empty graph in memory; with "" as the path, in a file that goes when it is closed."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for statement in schema():
        connection.execute(statement)
    set_up(connection)
    return connection


def set_up(connection: sqlite3.Connection) -> None:
    """Give a connection what it needs: settings, and the tables that `put_ids` fills."""
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
    for table in ("asked", "inside"):
        connection.execute(
            f"CREATE TEMP TABLE {table} (id TEXT PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID"
        )


def schema() -> list[str]:
    """Return the statements of schema.sql, with the columns that kg/schema.py describes."""
    script = (files(__package__ or "hoptrail.kg.sqlite") / "schema.sql").read_text("utf-8")
    for kind in TABLES:
        script = script.replace(f"{{{kind}}}", declared(kind))
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
