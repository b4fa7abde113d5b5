"""Ingestion as jobs: a table beside the graph, and one thread that works them off.

Ingestion is its own ledger, so a job is only "this file, this state": a process that was killed in
the middle of one starts it again, and what was written is passed over.
"""

import fcntl
import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from ...kg.errors import Cancelled, HoptrailError
from ...kg.graph_info import now
from ...kg.ingest.workers import Report
from ...kg.text.words import stable_id
from ...kg.types import Document
from ...kg.until import Until
from ...loaders import Options
from ..hoptrail import Hoptrail
from . import problems
from .engine import log
from .metrics import Metrics
from .public import UPLOADED

KEPT = 500  # jobs that ended
POLL = 0.5  # seconds between two looks for work, and two reports of it
PATIENCE = 3.0  # seconds
ENDED = ("done", "failed", "cancelled")
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
        problem: why it failed.
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

    Args:
        folder: of both, made at first use.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        table = sqlite3.connect(self.folder / "jobs.db", timeout=30, isolation_level=None)
        try:
            table.execute("PRAGMA synchronous = FULL")
            table.execute(_SCHEMA)
            yield table
        finally:
            table.close()

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


class JobWorker:
    """The one thread, of all processes that serve a graph, that ingests.

    Args:
        hop: of its own parser, so that no question waits for it.
    """

    def __init__(self, jobs: Jobs, hop: Callable[[], Hoptrail], metrics: Metrics) -> None:
        self._jobs, self._make, self._metrics = jobs, hop, metrics
        self._ended, self._wake = threading.Event(), threading.Event()
        self._until = Until()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Say that there is work."""
        self._wake.set()

    def stop(self) -> None:
        """End soon; a job under way goes on at the next start."""
        self._ended.set()
        self._until.cancel()
        self._wake.set()

    def close(self) -> None:
        """End, and wait for that a little: a job that is left in the middle goes on later."""
        self.stop()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        with self._alone() as lock:
            if lock is None:
                return
            self._jobs.resume()
            hop = None
            while not self._ended.is_set():
                job = self._jobs.next()
                if job is None:
                    self._wake.wait(POLL)
                    self._wake.clear()
                    continue
                hop = hop or self._make()
                self._work(hop, job)
            if hop is not None:
                hop.store.close()

    @contextmanager
    def _alone(self) -> Iterator[IO[bytes] | None]:
        """The lock that one process has; the system takes it from a process that was killed."""
        self._jobs.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self._jobs.folder / "lock").open("wb") as file:
            while not self._ended.is_set():
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    self._ended.wait(POLL)
                else:
                    yield file
                    return
            yield None

    def _work(self, hop: Hoptrail, job: Job) -> None:
        until, report, done = Until(), Report(), threading.Event()
        self._until = until
        if self._ended.is_set():
            return
        watching = threading.Thread(
            target=self._watch, args=(job, until, report, done), name="job", daemon=True
        )
        watching.start()
        state, problem = "done", None
        try:
            with until:
                self._ingest(hop, job, report)
            if report.failures:
                state = "failed"
                reason = report.failures[0].reason
                problem = problems.problem(422, "source-error", reason)
        except Cancelled:
            state = "cancelled" if self._jobs.is_cancelled(job.id) else "queued"
        except HoptrailError as error:
            state, problem = "failed", problems.of(error, hop.store.where)
        except Exception as error:  # noqa: BLE001 - the next job is another one
            log.exception("a job failed")
            state, problem = "failed", problems.of(error)
        done.set()
        watching.join()
        self._jobs.tell(job.id, state, counts(report), problem)
        if state in ENDED:
            self._metrics.jobs.labels(state).inc()
            shutil.rmtree(self._jobs.inbox(job.id), ignore_errors=True)

    def _watch(self, job: Job, until: Until, report: Report, done: threading.Event) -> None:
        while not done.is_set():
            self._jobs.tell(job.id, "running", counts(report))
            if self._jobs.is_cancelled(job.id):
                until.cancel()
            done.wait(POLL)

    def _ingest(self, hop: Hoptrail, job: Job, report: Report) -> None:
        [path] = self._jobs.inbox(job.id).iterdir()
        if job.kind == "file":
            hop.ingest(path, reading=Options(place=job.source), report=report)
            return
        sent = json.loads(path.read_text("utf-8"))
        identity = stable_id("place", job.source)
        document = Document(identity, sent["title"], sent["text"], job.source, sent["metadata"])
        hop.ingest(document, report=report)


def counts(report: Report) -> dict[str, Any]:
    """Say how far an ingestion is."""
    return {
        "documents": report.added + report.changed,
        "unchanged": report.unchanged,
        "passages": {
            "parsed": report.parsed,
            "encoded": report.encoded,
            "written": report.passages,
        },
        "failures": [{"source": f.source, "reason": f.reason} for f in report.failures[:20]],
        "seconds": {stage: round(spent, 2) for stage, spent in report.seconds.items() if spent},
    }


def place_of(name: str) -> str:
    """Call what was sent by its name alone, whatever folders stand before it."""
    return UPLOADED + os.path.basename(name.replace("\\", "/"))
