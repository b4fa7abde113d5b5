import threading

import pytest

from hoptrail.models.concurrency import as_they_come, map_concurrently


def test_an_interrupt_does_not_wait_for_what_is_in_flight():
    answered, done = threading.Event(), []

    def ask(number):
        if number == 0:
            raise KeyboardInterrupt
        answered.wait(30)
        done.append(number)

    with pytest.raises(KeyboardInterrupt):
        map_concurrently(ask, [0, 1], 2)
    assert done == []
    answered.set()


def test_after_a_failure_what_is_in_flight_is_waited_for():
    begun, done = threading.Barrier(2, timeout=30), []

    def ask(number):
        begun.wait()
        if number == 0:
            raise ValueError
        done.append(number)

    with pytest.raises(ValueError):  # noqa: PT011 - the very one
        map_concurrently(ask, [0, 1], 2)
    assert done == [1]


def test_results_come_as_they_are_done():
    slow = threading.Event()

    def work(number):
        assert number or slow.wait(30)
        return number

    came = as_they_come(work, range(5), 2)
    assert [next(came) for _ in range(4)] == [1, 2, 3, 4]
    slow.set()
    assert list(came) == [0]


def test_no_more_are_under_way_than_was_said():
    begun = []

    def work(number):
        begun.append(number)
        return number

    came = as_they_come(work, range(100), 3)
    next(came)
    assert len(begun) <= 3
    came.close()
    assert len(begun) <= 3


def test_a_failure_begins_no_other_and_what_is_under_way_still_comes():
    begun, failed = [], threading.Event()

    def work(number):
        begun.append(number)
        if number == 0:
            failed.set()
            raise ValueError
        failed.wait(30)
        return number

    came = as_they_come(work, range(100), 3)
    found = []
    with pytest.raises(ValueError):  # noqa: PT011 - the very one
        found.extend(came)
    assert sorted(begun) == [0, *sorted(found)]
    assert len(begun) < 100
