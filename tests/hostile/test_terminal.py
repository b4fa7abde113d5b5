"""What documents, names and arguments say never steers the terminal that shows it."""

import json
import os
import pty
import re
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest
from hostile.corpus import HALVES, HOSTILE

from hoptrail.service.console.safe import as_json, in_a_line, printable

SCRIPT = Path(__file__).with_name("commands.py")
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ud800-\udfff]"
)
OWN = re.compile(  # bold and dim, and what rich's progress bars send: colours, cursor, erasing
    r"\x1b\[(?!7;41)[0-9;]*m|\x1b\[\?25[lh]|\x1b\[1A|\x1b\[2?K|\r(?!EVIL)"
)


def environment() -> dict[str, str]:
    unset = {name for name in os.environ if name.startswith("HOPTRAIL_")}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {"TERM": "xterm-256color", "COLUMNS": "100", "HOPTRAIL_CACHE": "none"}


def in_a_terminal(folder: Path) -> str:
    """What a terminal gets to see."""
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[1] &= ~termios.OPOST  # line ends stay what they are
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    shown = bytearray()

    def read() -> None:
        while True:
            try:
                data = os.read(ours, 1 << 16)
            except OSError:  # the other end was closed
                return
            if not data:
                return
            shown.extend(data)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        subprocess.run(
            [sys.executable, SCRIPT, folder, "1"],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            check=True,
        )
    finally:
        os.close(theirs)
        thread.join()
        os.close(ours)
    return shown.decode()


def test_no_command_passes_on_what_would_steer_a_terminal(tmp_path):
    shown = in_a_terminal(tmp_path)
    assert "\x1b[?25l" in shown  # there were progress bars
    assert not (found := STEERING.search(rest := OWN.sub("", shown))), around(rest, found)
    statuses = json.loads((tmp_path / "statuses.json").read_text())
    succeeded = {" ".join(arguments[:2]) for arguments, status in statuses if status == 0}
    assert succeeded >= {"ask Who met Quenby?", "export -", "show id 0", "--help", "reembed"}
    assert {status for _, status in statuses} == {0, 1, 2}
    for name in ("report.md", "report.json"):
        assert not STEERING.search((tmp_path / name).read_text("utf-8"))


def test_nor_into_a_pipe(tmp_path):
    command = [sys.executable, SCRIPT, tmp_path, "4"]
    done = subprocess.run(command, env=environment(), capture_output=True, check=True)
    for said in (done.stdout.decode(), done.stderr.decode()):
        assert not (found := STEERING.search(said)), around(said, found)
    assert "\ufffd[7;41m" in done.stdout.decode()
    assert "Traceback" not in done.stderr.decode()
    assert "defect" not in done.stderr.decode()


def around(text: str, found: re.Match[str] | None) -> str:
    return repr(text[max(0, found.start() - 200) : found.start() + 100]) if found else ""


@pytest.mark.parametrize("text", [*HOSTILE.values(), *HALVES.values()])
def test_json_is_harmless_and_says_the_same(text):
    said = as_json({text: [text]})
    assert not STEERING.search(said)
    assert len(said.splitlines()) == 1
    assert json.loads(said) == {text: [text]}


def test_what_is_harmless_is_shown_as_it_is():
    harmless = "Ελλάδα 中国 👨‍👩‍👧‍👦 नेपाल\n\tŽ\u0301 ‘’ ⟨a; b⟩"
    assert printable(harmless) == harmless
    assert in_a_line("a\nb\r\n\x1bc\u2028d") == "a b \ufffdc d"
