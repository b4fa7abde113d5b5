"""The one Hoptrail object behind all routes: its threads, its queue, what it writes later."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeVar

from ...kg.errors import HoptrailError
from ...kg.until import Until
from ..evidence import Considered
from ..given import MAX_QUESTION
from ..hoptrail import Hoptrail
from .metrics import Metrics
from .problems import Refused
from .settings import Bounds

T = TypeVar("T")
log = logging.getLogger("hoptrail.service")
LOOKUPS = 4  # searches and look-ups at a time: milliseconds each
RECORDING = 100  # answers that wait to be written; a later one is not recorded
PATIENCE = 3.0  # seconds for what is to be recorded, when the service ends
AGAIN = 5.0  # seconds between two tries to load, and for which a look at the store holds


@dataclass
class State:
    """Whether questions can be answered, and why not."""

    loaded: bool = False
    why: str = "models are being loaded"
    looked: float = 0.0


class Engine:
    """Runs what takes time in threads of its own, cancelled when whoever asked has gone.

    Args:
        hop: stays its maker's to close.
        browser: address of Neo4j Browser, for links; "" for none.
    """

    def __init__(self, hop: Hoptrail, bounds: Bounds, metrics: Metrics, browser: str = "") -> None:
        self.hop, self.bounds, self.metrics, self.browser = hop, bounds, metrics, browser
        self.state = State()
        self._questions = ThreadPoolExecutor(bounds.at_once, "question")
        self._lookups = ThreadPoolExecutor(LOOKUPS, "lookup")
        self._recorder = ThreadPoolExecutor(1, "record")
        self._to_record = 0
        self._places = asyncio.Semaphore(bounds.at_once)
        self._waiting = 0
        self._under_way: set[Until] = set()
        self._ended = threading.Event()
        self._also: list[Callable[[], None]] = []

    # -- life
    def load(self) -> None:
        """Load encoder, parser, reader and model; again and again while that fails."""
        while not self._ended.is_set():
            until = Until(self.bounds.deadline, patience=self.bounds.patience)
            self._under_way.add(until)
            try:
                with until:
                    self.hop.warm()
            except HoptrailError as error:
                self.state.why = type(error).__name__
                log.warning("not ready: %s", error)
                self._ended.wait(AGAIN)
            else:
                self.state.loaded, self.state.why = True, ""
                return
            finally:
                self._under_way.discard(until)

    def ready(self) -> str:
        """Say why questions can't be answered, "" when they can; looks at the store now and then.

        To be called in a thread.
        """
        if not self.state.loaded:
            return self.state.why
        if time.monotonic() - self.state.looked > AGAIN:
            try:
                with Until(self.bounds.patience, patience=self.bounds.patience):
                    self.hop.store.info()
                self.state.why = ""
            except HoptrailError as error:
                self.state.why = type(error).__name__
            self.state.looked = time.monotonic()
        return self.state.why

    @property
    def ending(self) -> bool:
        """Whether the service is about to end."""
        return self._ended.is_set()

    def at_end(self, work: Callable[[], None]) -> None:
        """Have this done, too, when all ends."""
        self._also.append(work)

    def stop(self) -> None:
        """End what is under way; from any thread, also more than once."""
        self._ended.set()
        for work in self._also:
            work()
        for until in list(self._under_way):
            until.cancel()

    def close(self) -> None:
        """End; what is to be recorded is waited for, but not for long."""
        self.stop()
        written = self._recorder.submit(lambda: None)
        wait([written], PATIENCE)
        for pool in (self._questions, self._lookups, self._recorder):
            pool.shutdown(wait=False, cancel_futures=True)

    # -- work
    async def look(self, work: Callable[[], T]) -> T:
        """Do what takes milliseconds."""
        return await self._run(self._lookups, work, Until(self.bounds.deadline))

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a thread that answers questions.

        Raises:
            Refused: too many wait already.
        """
        if self._places.locked() and self._waiting >= self.bounds.waiting:
            detail = f"{self._waiting} questions wait already. Ask again in a moment."
            raise Refused(503, "queue-full", detail, {"Retry-After": "2"})
        self._waiting += 1
        self.metrics.waiting.set(self._waiting)
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
            self.metrics.waiting.set(self._waiting)
        try:
            yield
        finally:
            self._places.release()

    async def ask(self, work: Callable[[], T], until: Until) -> T:
        """Do what answers a question; in a `place`."""
        return await self._run(self._questions, work, until)

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], T], until: Until) -> T:
        until.patience = self.bounds.patience

        def limited() -> T:
            with until:
                until.check()
                return work()

        self._under_way.add(until)
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, limited)
        except asyncio.CancelledError:
            until.cancel()
            raise
        finally:
            self._under_way.discard(until)

    def record_later(self, asked: Considered, record: bool | None) -> None:
        """Write an answer down after those before it; nobody waits for that."""
        if record is False:
            return
        if self._to_record >= RECORDING:
            self._not_recorded("too many wait to be recorded")
            return
        self._to_record += 1
        self._recorder.submit(self._record, asked, record)

    def _record(self, asked: Considered, record: bool | None) -> None:
        try:
            self.hop.keep(asked, record)
        except HoptrailError as error:
            self._not_recorded(str(error))
        except Exception:
            self._not_recorded("a defect")
            log.exception("an answer was not recorded")
        finally:
            self._to_record -= 1

    def _not_recorded(self, why: str) -> None:
        self.metrics.not_recorded.inc()
        log.warning("an answer was not recorded: %s", why)

    def about(self) -> dict[str, Any]:
        """Say what the service is made of."""
        from importlib.metadata import version

        model, bounds = self.hop.model, self.bounds
        return {
            "version": version("hoptrail"),
            "encoder": self.hop.encoder.fingerprint.name,
            "model": model.name if model else None,
            "browser": self.browser or None,
            "limits": {
                "question_characters": MAX_QUESTION,
                "upload_bytes": bounds.upload,
                "deadline_seconds": bounds.deadline,
                "questions_at_once": bounds.at_once,
                "questions_waiting": bounds.waiting,
            },
        }
