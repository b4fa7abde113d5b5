"""Forward passes on a processor, each on one core: side by side, not several cores on one pass."""

import functools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from ..kg import until

S = TypeVar("S")
T = TypeVar("T")
_MAKING = threading.Lock()


def few_at_a_time(work: Callable[[S], T], items: Iterable[S]) -> Iterator[T]:
    """Yield results in order; no more wait in the pool than keep it busy.

    A question's one pass else waits for all the passes of a batch that is ingested.
    """
    pool, begun, work = _cores(), deque[Future[T]](), until.held(work)
    most = pool._max_workers
    for item in items:
        begun.append(pool.submit(work, item))
        if len(begun) > most:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()


@functools.cache
def _pool() -> ThreadPoolExecutor:
    """As many threads as torch would put on a single pass, each of which makes passes alone.

    Threads on one pass wait for each other, and burn their core while they do. What torch does in
    other threads stays as it was.
    """
    import torch

    threads = torch.get_num_threads()
    pool, met = ThreadPoolExecutor(threads, "pass"), threading.Barrier(threads)

    def alone() -> None:
        torch.get_num_threads()  # else the thread's first pass takes what is set for the process
        torch.set_num_threads(1)
        met.wait()  # so that each thread comes here

    for begun in [pool.submit(alone) for _ in range(threads)]:
        begun.result()
    torch.set_num_threads(threads)
    return pool


def _cores() -> ThreadPoolExecutor:
    """The pool, one for the process."""
    with _MAKING:
        return _pool()


def _forget() -> None:
    """In a forked child: it has the pool, but none of its threads, nor whoever held the lock."""
    global _MAKING
    _MAKING = threading.Lock()
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_forget)
