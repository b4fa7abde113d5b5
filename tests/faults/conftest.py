"""The real program in processes of its own, and graphs to do it harm."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.processes import python_path

from hoptrail.service import Hoptrail

HERE = Path(__file__).parent
PROGRAM = (  # a shell may have told its children to ignore interrupts
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from hoptrail.service.cli.program import main; main()"
)
TOWNS = {
    f"town {n}": f"Town {n} lies near Town {n // 2} on the Danube. Hans Meyer was born in Town {n}."
    for n in range(12)
}
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="session")
def towns(tmp_path_factory) -> Path:
    """A folder of small text files."""
    folder = tmp_path_factory.mktemp("towns")
    for name, text in TOWNS.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


@pytest.fixture(scope="session")
def made(tmp_path_factory, towns) -> Path:
    """A graph of these files, closed."""
    path = tmp_path_factory.mktemp("made") / "graph.db"
    with Hoptrail(path) as hop:
        hop.ingest(towns)
    return path


@pytest.fixture
def graph(made, tmp_path) -> Path:
    """A copy of it to do harm to."""
    path = tmp_path / "graph.db"
    shutil.copy(made, path)
    return path


@pytest.fixture
def script():
    """Runs a script of this folder, which prints one JSON object, behind a command if one is given.

    A process of its own, so that nothing but what its children need was ever started in it.
    """

    def run(name: str, *arguments: object, behind: Sequence[str] = ()) -> dict[str, Any]:
        process = subprocess.run(
            [*behind, sys.executable, HERE / name, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": python_path(HERE.parent), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(process.stdout)

    return run


@pytest.fixture
def mounted():
    """A command prefix under which something is mounted, seen by that command alone."""
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("neither root nor user namespaces: nothing can be mounted here")

    def prefix(*mounts: str) -> list[str]:
        return ["unshare", "-rm", "sh", "-ec", "; ".join([*mounts, 'exec "$0" "$@"'])]

    return prefix


@pytest.fixture
def start(tmp_path) -> Iterator[Start]:
    """Starts `hoptrail ARGUMENTS` in a process of its own; `ready`: until it handles signals."""
    started: list[subprocess.Popen[str]] = []
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    def popen(
        *arguments: str | Path, ready: bool = False, behind: Sequence[str] = ()
    ) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [*behind, sys.executable, "-c", PROGRAM, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        started.append(process)
        while ready and not _listens(process):
            time.sleep(0.001)
        return process

    yield popen
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def hoptrail(start):
    """Runs it to its end: (exit status, stdout, stderr)."""

    def ended(*arguments: str | Path, **settings) -> tuple[int, str, str]:
        process = start(*arguments, **settings)
        out, err = process.communicate(timeout=120)
        assert "Traceback" not in err
        return process.returncode, out, err

    return ended


def _listens(process: "subprocess.Popen[str]") -> bool:
    """Whether it handles SIGTERM, or is done: before, there is only the start of Python itself."""
    if process.poll() is not None:
        return True
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)
