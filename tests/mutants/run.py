"""Put faults into a copy of the code, one at a time, and see whether the tests notice.

python tests/mutants/run.py [WORD ...]

faults.toml lists what no operator of a mutation tool makes: a fault of behaviour as a user would
meet it, the lines that have to become others, and the tests that are to notice. With words only
faults whose text or file holds one of them are tried. A fault whose lines are no longer in the file
is reported and has to be written anew. Exits with 1 where a fault without a `reason` survives or is
out of date. Libraries are loaded once, and each trial is a fork: some seconds, not half a minute.
"""

import argparse
import contextlib
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".git", ".ci", "build", "*.egg-info", "__pycache__", ".*cache")
ENDLESS = 150  # seconds of processor time: a fault may make something endless
IDLE = 20  # seconds in which nothing of a trial runs: it waits for what never comes
LIBRARIES = "numpy scipy spacy torch sentence_transformers sklearn lxml.etree pypdf".split()


@dataclass(frozen=True)
class Fault:
    """One fault.

    Args:
        says: what a user would meet.
        file: below the root.
        was: lines of it, found once.
        now: what stands there instead.
        tests: arguments for pytest that are to notice.
        reason: why no test has to.
    """

    says: str
    file: str
    was: str
    now: str
    tests: str
    reason: str = ""


def main() -> int:
    """Try the faults, and say which were noticed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*")
    words = parser.parse_args().words
    listed = tomllib.loads((ROOT / "tests/mutants/faults.toml").read_text("utf-8"))["fault"]
    faults = [Fault(**one) for one in listed]
    chosen = [f for f in faults if not words or any(w in f.says + f.file for w in words)]
    sys.dont_write_bytecode = True
    for library in LIBRARIES:
        importlib.import_module(library)
    with tempfile.TemporaryDirectory(prefix="hoptrail-mutants-") as folder:
        copy = Path(folder) / "hoptrail"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        found = [(fault, outcome(fault, copy)) for fault in chosen]
    noticed = sum(what == "noticed" for _, what in found)
    wrong = [fault for fault, what in found if what != "noticed" and not fault.reason]
    print(f"{noticed} of {len(found)} faults noticed; {len(wrong)} to mend")
    return 1 if wrong else 0


def outcome(fault: Fault, copy: Path) -> str:
    """Put a fault in, run its tests, take it out again."""
    file = copy / fault.file
    whole = file.read_text("utf-8")
    if whole.count(fault.was) != 1:
        what = f"OUT OF DATE: its lines are in the file {whole.count(fault.was)} times"
    else:
        file.write_text(whole.replace(fault.was, fault.now), "utf-8")
        what = _tested(fault.tests, copy)
        file.write_text(whole, "utf-8")
    print(f"{what:9} {fault.file}: {fault.says} {fault.reason}", flush=True)
    return what


def _tested(tests: str, copy: Path) -> str:
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-k", "not neo4j", *tests.split()]
    # A library that was loaded before may bring a plugin of pytest.
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    log = copy.with_suffix(".log")
    child = os.fork()
    if child == 0:
        _try(arguments, copy, log)
    status = _ended(child)
    if status is None or status < 0:
        return "noticed"  # it hung
    if status not in (0, 1):
        sys.exit(f"The tests {tests} can't be run:\n{log.read_text('utf-8')[-3000:]}")
    return "noticed" if status else "SURVIVED"


def _try(arguments: list[str], copy: Path, log: Path) -> NoReturn:
    """Run the tests in a copy, as a process of its own, which never returns."""
    status = 3
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (ENDLESS, ENDLESS + 5))
        with log.open("wb") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        os.chdir(copy)
        sys.path.insert(0, str(copy.parent))
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
        status = int(pytest.main(arguments))
    except BaseException:  # noqa: BLE001 - whatever it is, it is told by the parent
        traceback.print_exc()
    finally:
        os._exit(status)


def _ended(child: int) -> int | None:
    """Wait for a trial; its exit status, or None where nothing of it ran for a while."""
    used, since = 0, time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        now = _ticks(child)
        if now != used:
            used, since = now, time.monotonic()
        if time.monotonic() - since > IDLE:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.1)


def _ticks(session: int) -> int:
    """Processor time that a session's processes have taken; of one that waits for it, ever more."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, *numbers = stat.read_text().rpartition(")")[2].split()
            if int(numbers[2]) == session:
                total += int(numbers[10]) + int(numbers[11])
                total += time.monotonic_ns() if state == "R" else 0
    return total


if __name__ == "__main__":
    sys.exit(main())
