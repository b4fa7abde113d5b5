"""Several requests at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

IN_FLIGHT = 8
"""Requests at a time, unless something else is said."""


def together(work: Callable[[S], T], items: Sequence[S], in_flight: int) -> list[T]:
    """The results in order, at most `in_flight` under way; the first failure ends those not begun.

    Those that are under way then are waited for, but not after Ctrl-C: a server may take minutes.
    """
    most = min(in_flight, len(items))
    if most < 2:
        return [work(item) for item in items]
    pool, wait = ThreadPoolExecutor(most, "model"), True
    try:
        return list(pool.map(work, items))
    except KeyboardInterrupt:
        wait = False
        raise
    finally:
        pool.shutdown(wait, cancel_futures=True)
