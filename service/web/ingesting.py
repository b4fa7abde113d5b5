"""Documents into the graph, by a process of their own: the thread that hands it jobs, and its work.

In the process that answers, parsing and encoding held the interpreter: a question took seven times
as long. The other process gives way to it, and what kills it, such as a document that takes all
memory, leaves the service alone.
"""

import fcntl
import json
import logging
import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import IO, TYPE_CHECKING, Any

from ...kg.errors import Cancelled, HoptrailError, StoreUnavailable
from ...kg.ingest.workers import Report
from ...kg.text.words import stable_id
from ...kg.types import Document
from ...kg.until import Until
from ...loaders import Options
from ...models.encoder import Encoder
from ...models.parser import Pipeline
from ..hoptrail import Hoptrail
from . import problems
from .jobs import ENDED, Job, Jobs, keeping
from .logs import log as log_to_stderr
from .metrics import Metrics
from .problems import Refused
from .settings import Serving

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

log = logging.getLogger("hoptrail.service")
POLL = 0.5  # seconds between two looks for work, and two reports of it
PATIENCE = 3.0  # seconds
UNKEPT = 30.0  # seconds until a folder is tried again that can't be written
AGAIN = 5.0  # seconds until a job is tried again whose graph could not be reached
IDLE = 300.0  # seconds without work after which the process ends, and gives its memory back


@dataclass(frozen=True)
class Tools:
    """What the process needs to open the graph for itself; it goes there pickled."""

    serving: Serving
    encoder: Encoder
    pipeline: Pipeline

    @property
    def jobs(self) -> Jobs:
        """The table of what is to be done."""
        return Jobs(self.serving.jobs)

    def open(self) -> Hoptrail:
        """Open the graph."""
        return Hoptrail(self.serving.settings.store(), encoder=self.encoder, pipeline=self.pipeline)


class JobWorker:
    """The one thread, of all processes that serve a graph, that has jobs worked off."""

    def __init__(self, tools: Tools, metrics: Metrics) -> None:
        self._tools, self._jobs, self._metrics = tools, tools.jobs, metrics
        self._ended, self._wake = threading.Event(), threading.Event()
        self._starting = threading.Lock()
        self._process: tuple[SpawnProcess, Any] | None = None
        self._died = ""  # the job in which the process died
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Say that there is work."""
        self._wake.set()

    def stop(self) -> None:
        """End at once; a job that is left in the middle goes on at the next start."""
        self._ended.set()
        self._wake.set()
        self._end_process()

    def close(self) -> None:
        """End, and wait for that a little."""
        self.stop()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        """Work off jobs until the end; while their folder can't be written, there are none."""
        while not self._ended.is_set():
            try:
                with keeping(self._jobs.folder):
                    self._work_off()
            except Refused:
                self._end_process()
                self._ended.wait(UNKEPT)

    def _work_off(self) -> None:
        with self._alone() as lock:
            if lock is None:
                return
            self._jobs.resume()
            idle = time.monotonic()
            while not self._ended.is_set():
                if (job := self._jobs.next()) is not None:
                    self._have_done(job)
                    idle = time.monotonic()
                    continue
                if time.monotonic() - idle > IDLE:
                    self._end_process()
                self._wake.wait(POLL)
                self._wake.clear()
            self._end_process()

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

    def _have_done(self, job: Job) -> None:
        """Hand a job to the process and wait for its end, or for the process's."""
        if (running := self._running()) is None:
            return
        process, pipe = running
        try:
            pipe.send(job.id)
            wait([pipe, process.sentinel])
            state = pipe.recv()
        except (OSError, EOFError):
            process.join(PATIENCE)
            if not self._ended.is_set():
                self._end_process()
                self._has_died(job, process.exitcode)
            return
        if state in ENDED:
            self._metrics.jobs.labels(state).inc()
        else:
            self._ended.wait(AGAIN)

    def _running(self) -> "tuple[SpawnProcess, Any] | None":
        with self._starting:  # so that nothing is started after `stop`
            if self._ended.is_set():
                return None
            if self._process is None:
                spawning = multiprocessing.get_context("spawn")
                ours, theirs = spawning.Pipe()
                process = spawning.Process(
                    target=work_off, args=(theirs, self._tools), name="ingesting", daemon=True
                )
                process.start()
                theirs.close()
                self._process = process, ours
            return self._process

    def _end_process(self) -> None:
        """Kill it, which the graph bears: a batch is written whole or not at all.

        It is waited for: whoever closes a file's last connection takes its -wal and -shm away.
        """
        with self._starting:
            if self._process is not None:
                self._process[0].kill()
                self._process[0].join(PATIENCE)
                self._process = None

    def _has_died(self, job: Job, status: int | None) -> None:
        """Try a job once more in which the process was killed, or crashed; then give it up."""
        if self._died != job.id:
            self._died = job.id
            self._jobs.tell(job.id, "queued", job.report)
            return
        how = signal.Signals(-status).name if status and status < 0 else f"status {status}"
        detail = (
            f"The process that read this document ended twice while it did ({how}). It may need "
            "more memory than there is: send it in parts."
        )
        self._jobs.tell(job.id, "failed", job.report, problems.problem(422, "too-much", detail))
        self._metrics.jobs.labels("failed").inc()
        shutil.rmtree(self._jobs.inbox(job.id), ignore_errors=True)


# -- in the other process
def work_off(pipe: Connection, tools: Tools) -> None:
    """Do the jobs whose ids come, and send the state of each, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal; the service ends this process
    os.nice(tools.serving.bounds.niceness)
    threading.Thread(target=_end_with_service, daemon=True).start()
    log_to_stderr()
    jobs, refused = tools.jobs, set[str]()
    with tools.open() as hop:
        while True:
            try:
                id_ = pipe.recv()
            except EOFError:
                return
            job = jobs.get(id_)
            pipe.send(_worked(jobs, hop, job, refused) if job else "")


def _end_with_service() -> None:
    """End this process when the service was killed: the next one does the job then."""
    if (service := multiprocessing.parent_process()) is not None:
        service.join()
        os._exit(1)


def _worked(jobs: Jobs, hop: Hoptrail, job: Job, refused: set[str]) -> str:
    """Do a job, tell of it meanwhile, and return its state in the end.

    While its graph can't be reached it stays queued: what was acknowledged is not given up.

    Args:
        refused: jobs that a graph which can be reached did not take; the second time they failed.
    """
    until, report, done = Until(), Report(), threading.Event()

    def watch() -> None:
        while not done.is_set():
            jobs.tell(job.id, "running", counts(report))
            if jobs.is_cancelled(job.id):
                until.cancel()
            done.wait(POLL)

    watching = threading.Thread(target=watch, name="job", daemon=True)
    watching.start()
    with until:
        state, problem = _outcome(jobs, hop, job, report, refused)
    done.set()
    watching.join()
    jobs.tell(job.id, state, counts(report), problem)
    if state in ENDED:
        shutil.rmtree(jobs.inbox(job.id), ignore_errors=True)
    return state


def _outcome(
    jobs: Jobs, hop: Hoptrail, job: Job, report: Report, refused: set[str]
) -> tuple[str, dict[str, Any] | None]:
    """Ingest what was sent; the job's state then, and what is wrong."""
    try:
        _ingest(hop, job, jobs, report)
    except Cancelled:
        return "cancelled", None
    except StoreUnavailable as error:
        state = "failed" if job.id in refused else "queued"
        if _reachable(hop):
            refused.add(job.id)
        return state, problems.of(error, hop.store.where)
    except HoptrailError as error:
        return "failed", problems.of(error, hop.store.where)
    except Exception as error:
        log.exception("a job failed")
        return "failed", problems.of(error)
    if report.failures:
        return "failed", problems.problem(422, "source-error", report.failures[0].reason)
    return "done", None


def _reachable(hop: Hoptrail) -> bool:
    try:
        with Until(patience=PATIENCE):
            hop.store.info()
    except HoptrailError:
        return False
    return True


def _ingest(hop: Hoptrail, job: Job, jobs: Jobs, report: Report) -> None:
    [path] = jobs.inbox(job.id).iterdir()
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
