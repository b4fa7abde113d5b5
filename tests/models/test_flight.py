import threading

import pytest

from hoptrail.models.flight import together


def test_an_interrupt_does_not_wait_for_what_is_in_flight():
    answered, done = threading.Event(), []

    def ask(number):
        if number == 0:
            raise KeyboardInterrupt
        answered.wait(30)
        done.append(number)

    with pytest.raises(KeyboardInterrupt):
        together(ask, [0, 1], 2)
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
        together(ask, [0, 1], 2)
    assert done == [1]
