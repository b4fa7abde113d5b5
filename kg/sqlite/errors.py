"""What a failure of SQLite, or of what a damaged file gave, means to a user."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import BadRequest, HoptrailError, StoreUnavailable

DAMAGED = "is damaged; restore a backup, or delete it and ingest again"
NO_RIGHT = "can't be written; grant the right to write the file and its folder"

_WRITTEN = "is being written by another process; wait until that ends, then repeat the command"
_RIGHTS = "check that its folder exists and that you may read and write there"
_FULL = "can't grow: the disk is full; free some space, then repeat the command"
_DISK = "can't be read or written; check the disk, its free space, and the rights on the file"
_MEANINGS = {
    sqlite3.SQLITE_BUSY: _WRITTEN,
    sqlite3.SQLITE_LOCKED: _WRITTEN,
    sqlite3.SQLITE_NOTADB: "is not a graph (not an SQLite file); name another file",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: NO_RIGHT,
    sqlite3.SQLITE_CANTOPEN: f"can't be opened; {_RIGHTS}",
    sqlite3.SQLITE_PERM: "can't be opened; grant the right to read and write the file",
    sqlite3.SQLITE_AUTH: "can't be opened; grant the right to read and write the file",
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_NOLFS: _DISK,
}
_SHARED_MEMORY = {  # the index of the write-ahead log could not be made: no right, or no space
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
}
_ODD = (
    sqlite3.Error,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    MemoryError,
    RecursionError,
)


class Damaged(sqlite3.DatabaseError):
    """A row holds what nobody wrote there."""


@contextmanager
def explained(
    path: Path, sound: Callable[[], bool], too_old: Callable[[str], HoptrailError | None]
) -> Iterator[None]:
    """Turn errors of SQLite and of the operating system into ours.

    What neither names (a row that is no JSON, an index out of range) is damage where the file does
    not stand a check, else a defect of ours and left as it is.

    Args:
        path: the file.
        sound: checks the file.
        too_old: explains that a table or column is lacking, where the graph is of an older version.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.start + 1]
        raise BadRequest(
            f"a text holds half of a surrogate pair ({half!r}), which no file can keep; "
            "replace it before adding"
        ) from error
    except OSError as error:
        raise StoreUnavailable(
            f"{path} can't be opened ({error}); check the path and your rights"
        ) from error
    except _ODD as error:
        if "no such" in str(error) and (lacking := too_old(str(error))):
            raise lacking from error
        meaning = _meaning(error)
        if meaning is None and not sound():
            meaning = DAMAGED
        if meaning is None:
            raise
        raise StoreUnavailable(f"{path} {meaning} ({error})") from error


def needs_to_write(error: sqlite3.Error) -> bool:
    """Find out whether reading failed because SQLite wanted to write beside the file."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code in _SHARED_MEMORY or code & 0xFF in (
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    )


def _meaning(error: Exception) -> str | None:
    if isinstance(error, Damaged | json.JSONDecodeError | UnicodeDecodeError):
        return DAMAGED
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return DAMAGED if str(error).startswith("Could not decode to UTF-8") else None
    if code in _SHARED_MEMORY:
        return _FULL
    meaning = _MEANINGS.get(code & 0xFF)
    if meaning is None and "no such" in str(error):
        return "is damaged, or of a version that never was; ingest into a new file"
    return meaning
