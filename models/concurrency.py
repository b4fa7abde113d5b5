"""Several requests at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

from ..kg import until

S = TypeVar("S")
T = TypeVar("T")

IN_FLIGHT = 8
"""Requests at a time, unless something else is said."""


def map_concurrently(work: Callable[[S], T], items: Sequence[S], in_flight: int) -> list[T]:
    """Map items to results, in order; the first failure ends those not begun.

    Those that are under way then are waited for, but not after Ctrl-C: a server may take minutes.
    """
    most = min(in_flight, len(items))
    if most < 2:
        return [work(item) for item in items]
    pool, patient = ThreadPoolExecutor(most, "model"), True
    try:
        return list(pool.map(until.held(work), items))
    except KeyboardInterrupt:
        patient = False
        raise
    finally:
        pool.shutdown(wait=patient, cancel_futures=True)


def as_they_come(work: Callable[[S], T], items: Iterable[S], in_flight: int) -> Iterator[T]:
    """Yield each result as soon as it is there, at most `in_flight` under way; by one, in order.

    After the first failure no other item is begun: what is under way still comes, then the failure
    is raised. Nothing is waited for after Ctrl-C, or when no more results are asked for.
    """
    if in_flight < 2:
        yield from map(work, items)
        return
    pool, left = ThreadPoolExecutor(in_flight, "question"), iter(items)
    work = until.held(work)
    under_way, failure = set[Future[T]](), None
    try:
        while True:
            if failure is None:
                more = islice(left, in_flight - len(under_way))
                under_way |= {pool.submit(work, item) for item in more}
            if not under_way:
                break
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for one in done:
                failure = failure or one.exception()
                if one.exception() is None:
                    yield one.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if failure is not None:
        raise failure
