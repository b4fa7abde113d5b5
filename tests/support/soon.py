"""Hostile input ends soon: with a result, or an error of ours."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from hoptrail.kg.errors import HoptrailError

SECONDS = 60  # for a file of a few kB, on a busy machine


@contextmanager
def soon(what: object) -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError(f"{what!r} takes more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    except (HoptrailError, TimeoutError):
        raise
    except Exception as error:
        raise AssertionError(f"{what!r}: {error!r}") from error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
