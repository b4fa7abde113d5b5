"""Every regular expression of the code on long runs of what it repeats: none may take their square.

What reads documents gets runs of 20,000 characters, and of 80,000 where those take long: linear is
4 times the time, quadratic 16 times. What reads sentences, questions and replies gets 5,000: there
it may be quadratic, which is milliseconds, not worse; what is soon done with a few hundred would
be with those even if it took their cube. All is this process's own time.
"""

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from support.patterns import Used, patterns, pumps, run

from hoptrail.kg.shown import advice
from hoptrail.kg.wikidata import properties
from hoptrail.reasoning.reader import kinds
from hoptrail.reasoning.reader.asked import question

SECONDS = 2.0
SOON = 0.05  # not worth a second look
LONG, SHORT, FEW, TIMES = 20_000, 5_000, 500, 4
DOCUMENTS = {"client", "kg", "loaders", "service"}
LENGTHS = {  # what is cut to fewer characters, or no longer than a passage
    "hoptrail.kg.extraction.keywords._CUT": SHORT,  # a name within a sentence
    "hoptrail.kg.extraction.keywords._ABBREVIATED": SHORT,
    "hoptrail.kg.extraction.reading._PERSON": SHORT,  # a title
    "hoptrail.kg.wikidata.properties._FORMS": properties.LONGEST,
    "hoptrail.kg.wikidata.properties._IN": properties.LONGEST,
    "hoptrail.reasoning.reader.kinds._FORMS": kinds.LONGEST,
    "hoptrail.reasoning.reader.asked.question._OPTIONS": question.LONGEST,
    "hoptrail.kg.shown.advice._KNOWN": advice.LONGEST,
}


class _Late(BaseException):
    pass


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    def late(*_: object) -> None:
        raise _Late

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _seconds(used: Used, text: str) -> float:
    started = time.process_time()
    try:
        with _within(SECONDS):
            for _ in used.pattern.finditer(text) if used.searched else [used.pattern.match(text)]:
                pass
    except _Late:
        return float("inf")
    return time.process_time() - started


def _attacked(used: Used, length: int) -> str:
    """A run that a pattern takes too long for; none where it ends with all."""
    for pump in pumps(used.pattern, tries=2):
        if (
            FEW < length <= SHORT
            and _seconds(used, run(*pump, FEW)) * (length / FEW) ** 3 < SECONDS
        ):
            continue
        text = run(*pump, length)
        took = _seconds(used, text)
        if took > SECONDS or (
            length == LONG
            and took > SOON
            and _seconds(used, run(*pump, LONG * TIMES)) > 2 * TIMES * took
        ):
            return f"{text[:30]!r}… ({len(text):,} characters, {took:.2f} s)"
    return ""


@pytest.mark.parametrize("package", ["client", "kg", "loaders", "models", "reasoning", "service"])
def test_patterns_end_on_long_runs(package):
    usual = LONG if package in DOCUMENTS else SHORT
    slow = {
        f"{used.where}: {used.pattern.pattern}": attack
        for used in patterns(package)
        if (attack := _attacked(used, LENGTHS.get(used.where, usual)))
    }
    assert slow == {}


@pytest.mark.parametrize("slow", [r"\s*\(x\)$", r"(a|aa)+$"])
def test_the_search_finds_what_is_slow(slow):
    assert _attacked(Used("here", re.compile(slow), True), LONG)
