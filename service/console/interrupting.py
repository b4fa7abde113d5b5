"""Interruptions at any moment: one line, nothing left behind, exit status 130 or 143.

The first one unwinds what runs: transactions end, temporary files go. A second one, and one in the
middle of an import, ends the process at once: C extensions do not survive an exception while they
load, and a graph survives that end as it does `kill -9`.
"""

import atexit
import contextlib
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NoReturn

from .safe import is_dumb


class Terminated(KeyboardInterrupt):
    """The exception for SIGTERM: it unwinds as Ctrl-C does."""


@dataclass
class _State:
    """Of this process.

    Args:
        came: the first signal that came, 0 before.
        means: what an interruption of the running command leaves behind.
        vanishing: files and folders that must not outlive the process.
        said: whether the line was printed.
    """

    came: int = 0
    means: str = "What was written before is whole; the same command goes on from there."
    vanishing: set[Path] = field(default_factory=set)
    said: bool = False


_state = _State()


@contextlib.contextmanager
def all_or_nothing(nothing: str) -> Iterator[None]:
    """Say, where an interruption comes, that nothing of the command was kept."""
    before, _state.means = _state.means, nothing
    yield  # an exception leaves it as it is: `main` says it
    _state.means = before


def written() -> None:
    """Say from now on, where an interruption comes, that what was written stays."""
    _state.means = _State.means


@contextlib.contextmanager
def vanishing(path: Path) -> Iterator[None]:
    """Guard a file or folder that its maker removes: an interruption takes it away too."""
    _state.vanishing.add(path)
    try:
        yield
    finally:
        _state.vanishing.discard(path)


def interrupted() -> bool:
    """Tell whether a signal came: an exception may be another's word for it."""
    return bool(_state.came)


def forgiven() -> bool:
    """Take back the Ctrl-C that came, where only what ran then is to end; False for SIGTERM."""
    if _state.came == signal.SIGTERM:
        return False
    _state.came = 0
    return True


def leave() -> NoReturn:
    """Say what the interruption means and exit, also where threads still wait for a server."""
    _say()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    status = _status()
    if threading.active_count() > 1:
        os._exit(status)  # sys.exit would wait for them
    sys.exit(status)


def listen() -> None:
    """Handle SIGINT and SIGTERM from now on, except where a parent had them ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _came)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _came)
    atexit.register(_ignore)  # the first to register is the last to run
    sys.unraisablehook = _unraisable
    threading.excepthook = _in_a_thread


def done(status: int) -> None:
    """End at once from now on, with the command's status, when a signal comes."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is _came:
            signal.signal(number, lambda *_: os._exit(status))


def _ignore() -> None:
    """Nothing is left to interrupt, and Python is about to give up our handlers."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _came(number: int, frame: FrameType | None) -> None:
    again, _state.came = bool(_state.came), _state.came or number
    if again or _importing(frame):
        _leave_at_once()
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _leave_at_once() -> NoReturn:
    for path in list(_state.vanishing):
        shutil.rmtree(path, ignore_errors=True)
        with contextlib.suppress(OSError):
            path.unlink()
    if os.isatty(2) and not is_dumb():
        os.write(2, b"\x1b[?25h\r\x1b[K")  # a progress bar may have hidden the cursor
    _say()
    os._exit(_status())


def _say() -> None:
    """Past all buffers: a signal may have come in the middle of a print."""
    if not _state.said:
        _state.said = True
        what = "Terminated" if _state.came == signal.SIGTERM else "Interrupted"
        with contextlib.suppress(OSError):
            os.write(2, f"{what}. {_state.means}\n".encode())


def _status() -> int:
    return 128 + (_state.came or signal.SIGINT)


def _unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """An interrupt swallowed in a destructor or a callback is still one; its echoes are noise."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _leave_at_once()
    if not _state.came:
        sys.__unraisablehook__(unraisable)


def _in_a_thread(args: threading.ExceptHookArgs) -> None:
    """What breaks in a thread because the process is being ended is noise."""
    if not _state.came:
        threading.__excepthook__(args)
