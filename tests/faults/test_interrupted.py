"""Ctrl-C and SIGTERM at any moment, also twice: one line, exit status 130 or 143, a whole graph."""

import signal
import socket
import subprocess
import sys
import time

import pytest
from support.building import content

from hoptrail.kg.sqlite.store import SqliteStore

WHOLE = "What was written before is whole; the same command goes on from there."
NOTHING = "Nothing was written yet."
GONE = "Temporary graphs are gone, and no figures were written."
ASKED = "What was asked last has no answer; those that were shown are whole."
QUESTION = (
    '{"question": "Where does Town 7 lie?", "answer": "Danube", "paragraphs": [{"title": "Town 7", '
    '"text": "Town 7 lies on the Danube.", "is_supporting": true}]}'
)


def interrupted(process, number: int, delay: float, twice: bool) -> tuple[int, str, str]:
    time.sleep(delay)
    process.send_signal(number)
    if twice:
        time.sleep(0.01)
        process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err.strip()


@pytest.mark.parametrize(
    ("arguments", "number", "delay", "twice"),
    [
        (["ingest", "towns"], signal.SIGINT, 0.0, False),
        (["ingest", "towns"], signal.SIGTERM, 0.1, True),
        (["ingest", "towns"], signal.SIGINT, 0.5, False),  # libraries are imported
        (["ingest", "towns"], signal.SIGINT, 1.5, True),
        (["ingest", "towns"], signal.SIGTERM, 3.0, False),
        (["ingest", "towns"], signal.SIGINT, 4.5, True),
        (["ask", "Where does Town 7 lie?"], signal.SIGINT, 2.5, False),
        (["evaluate", "answers", "towns.jsonl", "--whole"], signal.SIGTERM, 3.5, True),
        (["demo"], signal.SIGINT, 1.5, False),  # its answers come after some four seconds
    ],
)
def test_a_signal_ends_any_command_with_one_line(
    start, graph, towns, tmp_path, arguments, number, delay, twice
):
    with SqliteStore(graph) as store:
        before = content(store)
    (tmp_path / "towns").symlink_to(towns)
    (tmp_path / "towns.jsonl").write_text(QUESTION)
    process = start("--graph", graph, *arguments, ready=True)
    status, out, err = interrupted(process, number, delay, twice)
    word = "Interrupted" if number == signal.SIGINT else "Terminated"
    if status != 0:  # else it was faster
        assert status == 128 + number
        assert arguments == ["demo"] or out == ""
        *before_it, line = err.splitlines()
        assert line in {f"{word}. {what}" for what in (WHOLE, GONE, NOTHING, ASKED)}
        assert (ASKED in line) <= (arguments[0] == "ask")
        assert arguments == ["demo"] or before_it == []  # the demonstration says how far it is
    assert list((tmp_path / "temporary").iterdir()) == []
    with SqliteStore(graph) as store:
        assert content(store) == before


def test_linking_ends_at_once_though_its_endpoint_hangs(start, graph, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, says nothing
        monkeypatch.setenv("HOPTRAIL_SPARQL", f"http://127.0.0.1:{silent.getsockname()[1]}/q")
        process = start("--graph", graph, "link", "--statements", ready=True)
        silent.settimeout(60)
        with silent.accept()[0]:
            began = time.monotonic()
            status, out, err = interrupted(process, signal.SIGINT, 0.2, twice=False)
    assert (status, out, err) == (130, "", f"Interrupted. {WHOLE}")
    assert time.monotonic() - began < 30  # not the minute for which it would wait


def test_an_export_that_is_interrupted_leaves_no_half_file(start, graph, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("an older export")
    process = start("--graph", graph, "export", out, ready=True)
    status, _, err = interrupted(process, signal.SIGINT, 0.2, twice=False)
    assert not list(tmp_path.glob("*.part"))
    assert status == 0 or (err, out.read_text()) == (f"Interrupted. {WHOLE}", "an older export")


SWALLOWS = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from hoptrail.service.console import interrupting
interrupting.listen()
class Careless:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        [None for _ in range(1000)]
Careless()
print("it was swallowed")
"""


def test_an_interrupt_in_a_destructor_is_not_swallowed():
    process = subprocess.run([sys.executable, "-c", SWALLOWS], capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (130, "")
    assert process.stderr == f"Interrupted. {WHOLE}\n"


def test_a_reader_that_goes_away_ends_an_export_without_a_word(graph):
    program = "from hoptrail.service.cli.program import main; main()"
    command = [sys.executable, "-c", program, "--graph", str(graph), "export", "-"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        assert process.stdout.readline().startswith('{"kind": "info"')
        process.stdout.close()
        err = process.stderr.read()
    assert (process.returncode, err) == (1, "")
