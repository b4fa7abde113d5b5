"""The SQLite file under a graph: connections, transactions, and what a failure means to a user."""

import json
import sqlite3
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from .errors import BadRequest, StoreUnavailable
from .graph_info import check_version, created_by, older, too_old
from .types import SCHEMA_VERSION, Fingerprint

APPLICATION_ID = (
    0x484F5054  # "HOPT", in the file's header: tells a graph from any other SQLite file
)
PAGE_CACHE_KIB = 64 * 1024

_WRITTEN = "is being written by another process; wait until that ends, then repeat the command"
_RIGHTS = "check that its folder exists and that you may read and write there"
_MEANINGS = {
    sqlite3.SQLITE_BUSY: _WRITTEN,
    sqlite3.SQLITE_LOCKED: _WRITTEN,
    sqlite3.SQLITE_NOTADB: "is not a graph (not an SQLite file); name another file",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore a backup, or delete it and ingest again",
    sqlite3.SQLITE_FULL: "can't grow: the disk is full; free some space, then repeat the command",
    sqlite3.SQLITE_READONLY: "can't be written; grant the right to write the file and its folder",
    sqlite3.SQLITE_CANTOPEN: f"can't be opened; {_RIGHTS}",
    sqlite3.SQLITE_PERM: "can't be opened; grant the right to read and write the file",
    sqlite3.SQLITE_AUTH: "can't be opened; grant the right to read and write the file",
    sqlite3.SQLITE_IOERR: "can't be read or written; check the disk, and the rights on the file",
}


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
        self._opened: tuple[int, int] | None = None
        self._older = False
        self._lock = threading.Lock()
        self._writer = threading.Lock()

    def close(self) -> None:
        """Close the idle connections; the last to close folds the write-ahead log into the file."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the graph, an empty one where none is yet."""
        with self._explained():
            connection = self._borrow() or nothing()
            with self._transaction(connection, "BEGIN"):
                yield connection

    @contextmanager
    def writing(self, create: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction, which ends whole or leaves no trace.

        Raises:
            BadRequest: nobody prepared the graph, and `create` is false.
        """
        with self._explained(), self._writer:
            connection = self._borrow(create)
            if connection is None:
                raise BadRequest(f"{self.path} holds no graph yet; prepare it first")
            with self._transaction(connection, "BEGIN IMMEDIATE"):
                yield connection

    def exists(self) -> bool:
        """Whether the file holds a graph."""
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
            connection.close()
            raise
        self._give_back(connection)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if _is_file(connection):
            with self._lock:
                self._idle.append(connection)
        else:
            connection.close()

    def _borrow(self, create: bool = False) -> sqlite3.Connection | None:
        there = self._identity()
        if there != self._opened:  # deleted, or another file was put in its place
            self.close()
            self._opened = there
        with self._lock:
            if self._idle:
                return self._idle.pop()
        if self.path.is_dir():
            raise StoreUnavailable(f"{self.path} is a folder; name a file for the graph")
        if there is None and not create:
            return None
        return self._open(create)

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def _open(self, create: bool) -> sqlite3.Connection | None:
        mode = "rwc" if create else "rw"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            uri, uri=True, timeout=self.patience, isolation_level=None, check_same_thread=False
        )
        try:
            if self._holds_graph(connection, create):
                _set_up(connection)
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None

    def _holds_graph(self, connection: sqlite3.Connection, create: bool) -> bool:
        application = _pragma(connection, "application_id")
        if application == APPLICATION_ID:
            self._check_version(connection)
            return True
        if application or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
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
            for statement in _schema():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")

    def _check_version(self, connection: sqlite3.Connection) -> None:
        row = connection.execute("SELECT schema_version FROM graph_info").fetchone()
        if row is not None:
            check_version(str(self.path), row[0])
            self._older = row[0] < SCHEMA_VERSION

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", None)
            meaning = _MEANINGS.get(code & 0xFF) if code is not None else None
            if self._older and "no such column" in str(error):
                raise too_old(str(self.path), str(error)) from error
            if self._older and "no such" in str(error):
                raise older(str(self.path), str(error)) from error
            if meaning is None and "no such" in str(error):
                meaning = "is damaged, or of a version that never was; ingest into a new file"
            if meaning is None:
                raise
            raise StoreUnavailable(f"{self.path} {meaning} ({error})") from error
        except UnicodeEncodeError as error:
            half = error.object[error.start : error.start + 1]
            raise BadRequest(
                f"a text holds half of a surrogate pair ({half!r}), which no file can keep; "
                "replace it before adding"
            ) from error
        except OSError as error:
            raise StoreUnavailable(
                f"{self.path} can't be opened ({error}); check the path and your rights"
            ) from error


def insert_info(connection: sqlite3.Connection, fingerprint: Fingerprint) -> None:
    """Write the GraphInfo node."""
    connection.execute(
        "INSERT INTO graph_info (only, schema_version, fingerprint, created_by) "
        "VALUES (1, ?, ?, ?)",
        (SCHEMA_VERSION, json.dumps(asdict(fingerprint)), created_by()),
    )


def ask(connection: sqlite3.Connection, ids: Collection[str], table: str = "asked") -> None:
    """Fill the temporary table `asked` or `inside` with distinct ids and their places, for joins.

    Ids that SQLite can't hold are left out: nothing has them.
    """
    connection.execute(f"DELETE FROM temp.{table}")
    if isinstance(ids, str):
        ids = [ids]
    rows = ((one, place) for place, one in enumerate(dict.fromkeys(ids)) if encodable(one))
    connection.executemany(f"INSERT INTO temp.{table} (id, place) VALUES (?, ?)", rows)


def encodable(text: str) -> bool:
    """Whether a text has a UTF-8 form: half a surrogate pair has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def nothing() -> sqlite3.Connection:
    """An empty graph in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for statement in _schema():
        connection.execute(statement)
    _set_up(connection)
    return connection


def _set_up(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
    for table in ("asked", "inside"):
        connection.execute(
            f"CREATE TEMP TABLE {table} (id TEXT PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID"
        )


def _schema() -> list[str]:
    script = (files(__package__ or "hoptrail.kg") / "sqlite_schema.sql").read_text("utf-8")
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _is_file(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA database_list").fetchone()[2])
