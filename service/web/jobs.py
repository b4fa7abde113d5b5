"""Ingestion as jobs: a table of them beside the graph, and a folder of what was sent.

Ingestion is its own ledger, so a job is only "this file, this state": a process that was killed in
the middle of one starts it again, and what was written is passed over.
"""

import contextlib
import json
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...kg.errors import DISK_FULL
from ...kg.graph_info import now
from .problems import Refused
from .public import UPLOADED

log = logging.getLogger("hoptrail.service")
KEPT = 500  # jobs that ended
ENDED = ("done", "failed", "cancelled")
NO_SPACE = (
    "The disk is full: what was sent can't be kept. Free some space, or have whoever runs the "
    "service do it, then send it again."
)
NO_PLACE = (
    "Documents can't be sent: their folder can't be written. Whoever runs the service can grant "
    "the right to write it, or name another (--jobs FOLDER). Questions are answered."
)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    state TEXT NOT NULL,
    cancel INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL,
    ended TEXT,
    report TEXT NOT NULL DEFAULT '{}',
    problem TEXT
)
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A document that was sent, on its way into the graph.

    Args:
        source: what the document is called: "upload:report.pdf".
        kind: "file", or "text" for one that came as JSON.
        size: bytes.
        state: queued, running, done, failed or cancelled.
        report: counts so far.
        problem: why it failed, or has to wait.
    """

    id: str
    source: str
    kind: str
    size: int
    state: str
    created: str
    ended: str | None = None
    report: dict[str, Any] = field(default_factory=dict)
    problem: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


class Jobs:
    """The table of jobs and the folder of what was sent; any thread and process may ask it.

    Whatever is asked of it is `Refused` where the folder can't be read and written.

    Args:
        folder: of both, made at first use.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with keeping(self.folder), contextlib.ExitStack() as stack:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            table = sqlite3.connect(self.folder / "jobs.db", timeout=30, isolation_level=None)
            stack.callback(table.close)
            table.execute("PRAGMA synchronous = FULL")
            table.execute(_SCHEMA)
            yield table

    def inbox(self, id_: str) -> Path:
        """The folder of what was sent for a job."""
        return self.folder / "inbox" / id_

    def add(self, id_: str, source: str, kind: str, size: int) -> Job:
        """Queue what lies in the inbox; after this it survives the process."""
        with self._open() as table:
            table.execute(
                "INSERT INTO job (id, source, kind, size, state, created) "
                "VALUES (?, ?, ?, ?, 'queued', ?)",
                (id_, source, kind, size, now()),
            )
        return self.get(id_) or Job(id_, source, kind, size, "queued", now())

    def get(self, id_: str) -> Job | None:
        """Find a job."""
        return next(iter(self._select("WHERE id = ?", id_)), None)

    def newest(self, limit: int) -> list[Job]:
        """List jobs, the newest first."""
        return self._select("ORDER BY number DESC LIMIT ?", limit)

    def next(self) -> Job | None:
        """Find the first that waits."""
        return next(iter(self._select("WHERE state = 'queued' ORDER BY number LIMIT 1")), None)

    def cancel(self, id_: str) -> None:
        """Have a job cancelled: at once if it waits, soon if it runs."""
        with self._open() as table:
            table.execute("UPDATE job SET cancel = 1 WHERE id = ?", (id_,))
            table.execute(
                "UPDATE job SET state = 'cancelled', ended = ? WHERE id = ? AND state = 'queued'",
                (now(), id_),
            )

    def is_cancelled(self, id_: str) -> bool:
        """Tell whether somebody wants a job cancelled."""
        with self._open() as table:
            row = table.execute("SELECT cancel FROM job WHERE id = ?", (id_,)).fetchone()
        return bool(row and row[0])

    def tell(self, id_: str, state: str, report: dict[str, Any], problem: object = None) -> None:
        """Write how far a job is."""
        ended = now() if state in ENDED else None
        said = json.dumps(problem) if problem else None
        with self._open() as table:
            table.execute(
                "UPDATE job SET state = ?, report = ?, problem = ?, ended = ? WHERE id = ?",
                (state, json.dumps(report), said, ended, id_),
            )

    def resume(self) -> None:
        """Queue what was running when its process ended; forget the oldest that ended."""
        with self._open() as table:
            table.execute("UPDATE job SET state = 'queued' WHERE state = 'running'")
            table.execute(
                "DELETE FROM job WHERE ended IS NOT NULL AND number <= "
                "(SELECT max(number) FROM job) - ?",
                (KEPT,),
            )
            known = {id_ for (id_,) in table.execute("SELECT id FROM job WHERE ended IS NULL")}
        inbox = self.folder / "inbox"
        for left in inbox.iterdir() if inbox.is_dir() else ():
            if left.name not in known and time.time() - left.stat().st_mtime > 3600:
                shutil.rmtree(left, ignore_errors=True)  # of an upload that broke off

    def _select(self, rest: str, *values: object) -> list[Job]:
        query = (
            "SELECT id, source, kind, size, state, created, ended, report, problem FROM job " + rest
        )
        with self._open() as table:
            rows = table.execute(query, values).fetchall()
        return [
            Job(*told, report=json.loads(report), problem=json.loads(problem or "null"))
            for *told, report, problem in rows
        ]


def place_of(name: str) -> str:
    """Call what was sent by its name alone, whatever folders stand before it."""
    return UPLOADED + os.path.basename(name.replace("\\", "/"))


@contextmanager
def keeping(folder: Path) -> Iterator[None]:
    """Refuse what can't be kept, and tell the log why.

    Args:
        folder: where it is kept, which clients are not told.

    Raises:
        Refused: 507 where the disk is full, 503 where the folder can't be written.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        log.warning("documents can't be sent, %s can't be written: %s", folder, error)
        if _is_full(error):
            raise Refused(507, "disk-full", NO_SPACE) from error
        raise Refused(503, "not-kept", NO_PLACE) from error


def _is_full(error: OSError | sqlite3.Error) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return error.errno in DISK_FULL
