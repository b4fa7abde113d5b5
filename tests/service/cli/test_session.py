"""`hoptrail ask` without a question, in a terminal: asking again and again, giving up, ending."""

import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from support.scripted_server import Script, Server, said

ENDS = 300  # seconds, on a machine that has much else to do
STARTED = """
import fcntl, runpy, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # Ctrl-C typed there is this process's
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job may have begun without
runpy.run_module("hoptrail", run_name="__main__", alter_sys=True)
"""


class Terminal:
    """A terminal with `hoptrail ARGUMENTS` in it.

    Attributes:
        shown: all that it showed so far.
    """

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.shown, self._read = "", 0
        kept = {name: of for name, of in os.environ.items() if not name.startswith("HOPTRAIL_")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTED, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=kept | {"TERM": "dumb", "HOPTRAIL_CACHE": "none"},
            start_new_session=True,
        )
        os.close(theirs)

    def types(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def interrupts(self, keys: str, shows: str) -> None:
        """Type these keys and Ctrl-C, and wait for this text.

        Of a Ctrl-C that comes between its prompt and its wait for a key `input` hears with the
        next one: CPython's readline asks for signals only where one wakes it. So it is typed again.
        """
        self.types(f"{keys}\x03")
        try:
            self.shows(shows, within=20)
        except AssertionError:
            self.types("\x03")
            self.shows(shows)

    def shows(self, text: str, within: float = ENDS) -> str:
        """What it shows up to this text, since what was waited for before."""
        ends = time.monotonic() + within
        while (at := self.shown.find(text, self._read)) < 0:
            assert self._more(ends), self.shown
        before, self._read = self.shown[self._read : at], at + len(text)
        return before

    def ended(self) -> int:
        ends = time.monotonic() + ENDS
        while self._more(ends):
            pass
        return self.process.wait(ENDS)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def _more(self, ends: float) -> bool:
        if not select.select([self._ours], [], [], max(ends - time.monotonic(), 0))[0]:
            return False
        try:
            data = os.read(self._ours, 1 << 16)
        except OSError:  # Linux says so that the other end was closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), Script)
    server.lock, server.owner, server.entry = threading.Lock(), "somebody", {}
    server.asked, server.replies, server.busy, server.busiest = [], [], 0, 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_ctrl_c_gives_up_the_question_alone_and_ctrl_d_ends(run, server, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city.\n", encoding="utf-8")
    assert run("ingest", "ulm.md")[0] == 0
    asked, given_up = threading.Event(), threading.Event()

    def waits(handler, body):
        asked.set()
        given_up.wait(ENDS)

    server.replies = [said("Bonn"), waits, said("Weimar")]
    where = f"openai:http://127.0.0.1:{server.server_port}/v1#m"
    terminal = Terminal("--model", where, "ask", "--method", "direct")
    try:
        assert "Ctrl-D ends" in terminal.shows("? ")
        terminal.types("Where was Beethoven born?\n")
        assert "Bonn" in terminal.shows("? ")
        terminal.types("Where was Mozart born?\n")
        assert asked.wait(ENDS), terminal.shown
        terminal.types("\x03")
        assert "Given up." in terminal.shows("? ")
        given_up.set()
        terminal.interrupts("half a quest", "? ")
        terminal.types("Where did Goethe live?\n")
        terminal.shows("Weimar")
        terminal.shows("? ")
        terminal.types("\x04")
        assert terminal.ended() == 0
    finally:
        given_up.set()
        terminal.close()
    assert "Traceback" not in terminal.shown
    assert len(server.asked) == 3


@pytest.mark.parametrize("command", ["ingest", "ask", "search", "show"])
def test_a_dumb_terminal_is_sent_no_escapes(run, tmp_path, command):
    text = "# Ulm\n\nUlm is a city. Albert Einstein was born in Ulm.\n"
    (tmp_path / "ulm.md").write_text(text, encoding="utf-8")
    if command != "ingest":
        assert run("ingest", "ulm.md")[0] == 0
    about = {"ingest": "ulm.md", "show": "Ulm"}.get(command, "Where was Albert Einstein born?")
    terminal = Terminal(command, about)
    try:
        assert terminal.ended() == 0
    finally:
        terminal.close()
    assert "\x1b" not in terminal.shown
    if command == "ask":
        assert "**Albert Einstein**" in terminal.shown
