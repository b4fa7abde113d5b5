"""Work that ends before it is done: cancelled, or past its deadline."""

import threading
import time

import pytest

from hoptrail.kg import until
from hoptrail.kg.errors import Cancelled, DeadlinePassed
from hoptrail.kg.until import Until
from hoptrail.models.concurrency import map_concurrently


def test_without_a_limit_nothing_ends():
    until.check()
    assert until.or_leave(lambda: 3) == 3


def test_a_deadline_ends_what_checks_and_what_sleeps():
    with Until(0.01) as limit, pytest.raises(DeadlinePassed, match=r"0\.01 seconds"):
        until.pause(60)
    assert limit.left == 0
    until.check()  # outside the block there is none


def test_another_thread_cancels_what_sleeps():
    with Until() as limit:
        threading.Timer(0.05, limit.cancel).start()
        with pytest.raises(Cancelled):
            until.pause(60)


def test_what_can_not_be_interrupted_is_left_alone():
    goes_on = threading.Event()
    with Until() as limit:
        threading.Timer(0.05, limit.cancel).start()
        with pytest.raises(Cancelled):
            until.or_leave(lambda: goes_on.wait(60))
    goes_on.set()


def test_what_fails_in_a_thread_of_its_own_fails_here():
    def fail():
        raise ValueError("of its own")

    with Until(60), pytest.raises(ValueError, match="of its own"):
        until.or_leave(fail)


def test_other_threads_of_the_same_work_obey():
    def work(_: int) -> None:
        until.pause(60)

    with Until(0.05), pytest.raises(DeadlinePassed):
        map_concurrently(work, [1, 2, 3], 3)


def test_an_inner_limit_ends_first_and_the_outer_one_holds_again():
    with Until(60) as outer:
        with Until(0) as inner, pytest.raises(DeadlinePassed):
            until.check()
        assert until.current() is outer
        assert inner.left == 0
    started = time.monotonic()
    until.pause(0.001)
    assert time.monotonic() > started
