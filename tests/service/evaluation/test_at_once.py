"""Several questions at the same time: the same answers, whole lines, a prompt end."""

import json
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from support.towns import write_towns
from world import SymbolicReader, World, fill, pages, questions

from hoptrail.kg.errors import ModelUnavailable, StoreUnavailable
from hoptrail.service.hoptrail import Hoptrail

pytestmark = pytest.mark.one_release

METHODS = ("rag", "ircot", "self_consistency", "trace")


class Together(SymbolicReader):
    """Answers a prompt only when as many have come as there are threads; tells them apart."""

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.threads, self.came = set[str](), threading.Barrier(threads, timeout=60)

    def generate(self, prompts, decoding):
        self.threads.add(threading.current_thread().name)
        self.came.wait()
        return super().generate(prompts, decoding)


class Ending(SymbolicReader):
    """From the third prompt on does something else; no other thread gets an answer before."""

    def __init__(self, ends) -> None:
        super().__init__()
        self.ends, self.asked, self.over = ends, 0, threading.Event()
        self._count = threading.Lock()

    def generate(self, prompts, decoding):
        with self._count:
            self.asked += 1
            number = self.asked
        if number == 3:
            self.ends()
        if number > 2:
            assert self.over.wait(60)
        return super().generate(prompts, decoding)


def rows(result):
    return [replace(one, seconds=0) for one in result.each]


def ids(folder, method="rag"):
    text = (folder / f"dev-{method}.jsonl").read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line)["id"] for line in text.splitlines()]


@pytest.fixture(scope="module")
def one_by_one(bench, tmp_path_factory):
    return bench.measured(tmp_path_factory.mktemp("one"), methods=METHODS, retriever="hop")


@pytest.fixture
def switching():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def interruptible():
    """Ctrl-C reaches this process: those of pytest-xdist ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_answers_and_figures_are_those_of_one_by_one(bench, one_by_one, tmp_path, switching):
    at_once = bench.measured(tmp_path, methods=METHODS, retriever="hop", at_once=5)
    for first, second in zip(one_by_one, at_once, strict=True):
        assert rows(second) == rows(first)
        assert second.figures == first.figures
        assert ids(tmp_path, second.method) == [f"q{n}" for n in range(8)]


def test_as_many_are_under_way_as_was_said(bench, tmp_path):
    model = Together(4)
    bench.measured(tmp_path, model, retriever="hop", at_once=4)
    assert len(model.threads) == 4


def test_ctrl_c_ends_it_at_once_and_the_same_command_goes_on(
    bench, one_by_one, tmp_path, interruptible
):
    def ctrl_c():
        while not (tmp_path / "dev-rag.jsonl").read_text(encoding="utf-8"):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    model = Ending(ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        bench.measured(tmp_path, model, retriever="hop", at_once=3)
    begun = ids(tmp_path)
    assert 0 < len(begun) < 8
    model.over.set()
    rest = SymbolicReader()
    [again] = bench.measured(tmp_path, rest, retriever="hop", at_once=2)
    assert rows(again) == rows(one_by_one[0])
    assert len(rest.prompts) == 8 - len(begun)
    assert ids(tmp_path) == [f"q{n}" for n in range(8)]


def test_what_every_question_would_meet_starts_no_other(bench, tmp_path):
    def gone():
        model.over.set()
        raise StoreUnavailable("The server is gone.")

    model = Ending(gone)
    with pytest.raises(StoreUnavailable, match="gone"):
        bench.measured(tmp_path, model, retriever="hop", at_once=3)
    assert model.asked < 8
    assert len(ids(tmp_path)) == model.asked - 1


def test_a_question_that_fails_does_not_disturb_the_others(bench, one_by_one, tmp_path):
    def refused():
        model.over.set()
        raise ModelUnavailable("The server does not answer.")

    model = Ending(refused)
    [result] = bench.measured(tmp_path, model, retriever="hop", at_once=3)
    [failed] = result.failed
    expected = rows(one_by_one[0])
    assert [one for one in rows(result) if one.failed is None] == [
        one for one in expected if one.id != failed.id
    ]


def test_any_store_may_be_read_by_threads(store, encoder, switching):
    world = World.made()
    fill(store, pages(world)[:40], encoder, SymbolicReader())
    hop = Hoptrail(store, encoder=encoder, model=SymbolicReader())

    def ask(question):
        answer = hop.ask(question.text, method="rag", retriever="hop", record=False)
        return answer.text, answer.shown

    asked = questions(world)[:10]
    one_by_one = list(map(ask, asked))
    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(ask, asked)) == one_by_one
    assert any(shown for _, shown in one_by_one)


def test_the_command_goes_on_with_another_number_at_once(run, tmp_path):
    write_towns(tmp_path / "towns.jsonl", range(3))
    arguments = ("evaluate", "answers", "towns.jsonl", "--retriever", "bm25", "--out", "runs")
    status, first, err = run(*arguments, "--at-once", "3")
    assert (status, "3 questions" in first) == (0, True), err
    assert run(*arguments)[:2] == (0, first)  # nothing is asked again, not even times differ
    status, _, err = run(*arguments, "--at-once", "0")
    assert (status, "--at-once" in err) == (2, True)
