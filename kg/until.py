"""How long work may go on: until it is cancelled, or its time is over.

What takes long asks `check` between its parts and sleeps by `pause`; both mean the innermost
`Until` of their thread, and do nothing special without one.
"""

import contextvars
import threading
import time
from collections.abc import Callable
from typing import Self, TypeVar

from .errors import Cancelled, DeadlinePassed

S = TypeVar("S")
T = TypeVar("T")


class Until:
    """A limit to what is done in a `with` block; another thread may cancel it.

    `with Until(30): hop.ask(…)` raises DeadlinePassed soon after 30 seconds, `until.cancel()` makes
    it raise Cancelled. What was written by then stays, a batch under way leaves no trace.

    Args:
        seconds: from now on; None is no limit.
        patience: seconds that a graph's server which is away is waited for; None is as long as
            without a limit.
    """

    def __init__(self, seconds: float | None = None, *, patience: float | None = None) -> None:
        self.seconds, self.patience = seconds, patience
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._cancelled = threading.Event()
        self._tokens: list[contextvars.Token[Until | None]] = []

    def __enter__(self) -> Self:
        self._tokens.append(_innermost.set(self))
        return self

    def __exit__(self, *exc_info: object) -> None:
        _innermost.reset(self._tokens.pop())

    def cancel(self) -> None:
        """End the work at its next check; from any thread."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled.is_set()

    @property
    def left(self) -> float | None:
        """Seconds that are left, None without a limit."""
        return None if self._ends is None else max(0.0, self._ends - time.monotonic())

    def check(self) -> None:
        """Go on, or raise.

        Raises:
            Cancelled: somebody cancelled it.
            DeadlinePassed: its time is over.
        """
        if self._cancelled.is_set():
            raise Cancelled("This was cancelled before it was done.")
        if self._ends is not None and time.monotonic() >= self._ends:
            raise DeadlinePassed(
                f"This took longer than the {self.seconds:g} seconds that it may take. Allow more, "
                "or ask for less."
            )

    def pause(self, seconds: float) -> None:
        """Sleep, not longer than the work may go on; errors as in `check`."""
        self._cancelled.wait(seconds if self.left is None else min(seconds, self.left))
        self.check()


_innermost: contextvars.ContextVar[Until | None] = contextvars.ContextVar("until", default=None)


def current() -> Until | None:
    """Tell which limit holds in this thread."""
    return _innermost.get()


def check() -> None:
    """Go on, or raise as `Until.check` does."""
    if (until := _innermost.get()) is not None:
        until.check()


def pause(seconds: float) -> None:
    """Sleep, as long as the work may go on."""
    if (until := _innermost.get()) is None:
        time.sleep(seconds)
    else:
        until.pause(seconds)


def held(work: Callable[[S], T]) -> Callable[[S], T]:
    """Make a function that other threads call obey this thread's limit."""
    context = contextvars.copy_context()
    return lambda item: context.copy().run(work, item)


def or_leave(work: Callable[[], T]) -> T:
    """Do what can't be interrupted in a thread that is left alone when the time is over.

    Raises what the work raises, or as `Until.check` does.
    """
    until = _innermost.get()
    if until is None:
        return work()
    outcome: list[T | BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again
            outcome.append(error)
        finally:
            done.set()

    until.check()
    threading.Thread(target=run, name="left alone", daemon=True).start()
    while not done.wait(POLL if until.left is None else min(POLL, until.left)):
        until.check()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


POLL = 0.1
"""Seconds between two looks at whether the work was cancelled."""
