"""Put faults into a copy of the code, one at a time, and see whether the tests notice.

python tests/mutants/run.py [--new] [WORD ...]

faults.toml lists what no operator of a mutation tool makes: a fault of behaviour as a user would
meet it, the lines that have to become others, and the tests that are to notice. With words only
faults whose text or file holds one of them are tried. A fault whose lines are no longer in the file
is reported and has to be written anew. Exits with 1 where a fault without a `reason` survives or is
out of date.

`--new` tries only faults that no test is known to notice, and writes down the test that noticed
(`by`), once it has passed without the fault. That one runs first from then on.

Tests are collected once. A trial is a fork in which the changed functions have their new code;
where more than functions changed, as a constant, and for what survived, it is a fork that has only
the libraries and imports the code itself.
"""

import argparse
import contextlib
import gc
import importlib
import itertools
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from swapping import Pair, changed, swap

ROOT = Path(__file__).resolve().parents[2]
LISTED = Path(__file__).with_name("faults.toml")
LEFT_OUT = (".git", ".ci", "build", "*.egg-info", "__pycache__", ".*cache")
ENDLESS = 60  # seconds of processor time of a test: a fault may make something endless
IDLE = 20  # seconds in which nothing of a trial runs: it waits for what never comes
LIBRARIES = (
    "numpy scipy spacy torch sentence_transformers sklearn lxml.html pypdf httpx fastapi uvicorn "
    "mcp pydantic rich.console click hypothesis xdist SPARQLWrapper rdflib neo4j"
).split()
OPTIONS = [
    *"-x -q -p no:cacheprovider".split(),
    *("-k", "not neo4j"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # of what was loaded before
]
SURVIVED = "SURVIVED"
_PLAIN = re.compile(r"[\w./:-]+(?:\[[\w.-]+\])?")  # what pytest takes back as it is
_MOMENTS = itertools.count(1)  # seconds, which compiled files name


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
        by: the test that noticed last.
    """

    says: str
    file: str
    was: str
    now: str
    tests: str
    reason: str = ""
    by: str = ""


def main() -> int:
    """Try the faults, and say which were noticed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--new", action="store_true")
    asked = parser.parse_args()
    faults = [Fault(**one) for one in tomllib.loads(LISTED.read_text("utf-8"))["fault"]]
    chosen = [
        fault
        for fault in faults
        if not (asked.new and fault.by)
        and (not asked.words or any(word in fault.says + fault.file for word in asked.words))
    ]
    return tried(chosen, asked.new)


def tried(faults: Sequence[Fault], new: bool = False) -> int:
    """Try faults in a copy of the code, say what was noticed, and return the exit status.

    Args:
        new: write down which tests notice.
    """
    os.environ["OMP_NUM_THREADS"] = "1"  # forks wait for ever for threads that began before them
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):  # of an extra
            importlib.import_module(library)
    with tempfile.TemporaryDirectory(prefix="hoptrail-mutants-") as folder:
        copy = Path(folder) / "hoptrail"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        found = Trials(copy, new).all(faults)
    noticed = sum(what == "noticed" for what in found.values())
    wrong = [fault for fault, what in found.items() if what != "noticed" and not fault.reason]
    print(f"{noticed} of {len(found)} faults noticed; {len(wrong)} to mend")
    return 1 if wrong else 0


class Trials:
    """Trials of faults in a copy of the code; also the plugin of pytest that runs its share.

    Args:
        copy: changed for as long as a trial lasts.
        new: write down which tests notice.
    """

    def __init__(self, copy: Path, new: bool) -> None:
        self._copy, self._new = copy, new
        self._begun, self._told = copy.with_suffix(".begun"), copy.with_suffix(".told")
        self._swapped: list[Fault] = []
        self._session: pytest.Session | None = None

    def all(self, faults: Sequence[Fault]) -> dict[Fault, str]:
        """Try each: noticed, or what else."""
        self._swapped = [fault for fault in faults if self._pairs(fault)]
        self._told.write_text("")
        if self._swapped:
            os.waitpid(self._fork(self._collected, quiet=False), 0)
        told = map(json.loads, self._told.read_text("utf-8").splitlines())
        found = {self._swapped[at]: what for at, what in told}
        return {fault: found.get(fault) or _said(fault, self._tried(fault)) for fault in faults}

    # -- in a process that has collected the tests
    def _collected(self) -> int:
        named = [one for f in self._swapped for one in [*f.tests.split(), f.by]]
        files = dict.fromkeys(one.partition("::")[0] for one in named)
        there = [one for one in files if one and Path(one).exists()]
        return pytest.main([*OPTIONS, "-s", *there], plugins=[self])

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the faults, where pytest would run the tests."""
        if self._session is None:
            self._session = session
            gc.freeze()  # no trial looks through all these objects
            with self._told.open("a", encoding="utf-8") as told:
                for at, fault in enumerate(self._swapped):
                    if (
                        what := self._tried(fault)
                    ) != SURVIVED:  # what ran at import did not change
                        print(json.dumps([at, _said(fault, what)]), file=told, flush=True)
        return True

    def _run(self, tests: Sequence[str], pairs: list[Pair]) -> int:
        """Run tests in this process, which is a trial's."""
        if self._session is None:
            return pytest.main([*OPTIONS, *tests], plugins=[_Begun(self._begun)])
        swap(pairs)
        session, within = (
            self._session,
            tuple(f"{one}{sign}" for one in tests for sign in ("::", "[", "/")),
        )
        items = [
            one for one in session.items if one.nodeid in tests or one.nodeid.startswith(within)
        ]
        session.config.pluginmanager.register(_Begun(self._begun))
        for item, then in itertools.zip_longest(items, items[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=then)
            if session.testsfailed:
                return 1
        return 0 if items else 5

    # -- a trial
    def _tried(self, fault: Fault) -> str:
        """Put a fault in, run its tests, take it out again."""
        file, what = self._copy / fault.file, SURVIVED
        whole, times, pairs = file.read_text("utf-8"), file.stat(), self._pairs(fault) or []
        if whole.count(fault.was) != 1:
            what = f"OUT OF DATE: its lines are in the file {whole.count(fault.was)} times"
        else:
            file.write_text(whole.replace(fault.was, fault.now), "utf-8")
            os.utime(file, (0, next(_MOMENTS)))  # no compiled file of another moment is taken
            for tests in filter(None, ([fault.by] if fault.by else [], fault.tests.split())):
                if by := self._noticing(tests, pairs):
                    what = "noticed"
                    break
            file.write_text(whole, "utf-8")
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
            if what == "noticed" and self._new:
                what = self._recorded(fault, by)
        return what

    def _pairs(self, fault: Fault) -> list[Pair] | None:
        file = self._copy / fault.file
        old = file.read_text("utf-8")
        return changed(old, old.replace(fault.was, fault.now), str(file))

    def _noticing(self, tests: Sequence[str], pairs: list[Pair]) -> str:
        """The test that fails, or hangs; none where all pass."""
        self._begun.write_text("")
        status = _ended(self._fork(lambda: self._run(tests, pairs)))
        at = self._begun.read_text("utf-8")
        if status in (None, 1) or status < 0:
            return at if _PLAIN.fullmatch(at) else at.partition("[")[0]
        if status:
            log = self._copy.with_suffix(".log").read_text("utf-8")
            print(f"The tests {tests} can't be run:\n{log[-3000:]}")
        return ""

    def _recorded(self, fault: Fault, by: str) -> str:
        """Write down which test noticed, unless it fails without the fault, too."""
        if self._noticing([by], []):
            return f"UNCLEAR: {by} fails without the fault"
        text = LISTED.read_text("utf-8")
        at = text.index(f"says = {json.dumps(fault.says, ensure_ascii=False)}")
        end = text.index("\n", text.index("\ntests = ", at) + 1)
        LISTED.write_text(f'{text[:end]}\nby = "{by}"{text[end:]}', "utf-8")
        return "noticed"

    def _fork(self, work: Callable[[], int], quiet: bool = True) -> int:
        """Do work in a process of its own, in the copy; its id."""
        if child := os.fork():
            return child
        status = 3
        try:
            os.setsid()
            if quiet:
                with self._copy.with_suffix(".log").open("wb") as out:
                    os.dup2(out.fileno(), 1)
                    os.dup2(out.fileno(), 2)
            os.chdir(self._copy)
            if str(self._copy.parent) not in sys.path:
                sys.path.insert(0, str(self._copy.parent))
            os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
            os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # whatever else is installed
            status = int(work())
        except BaseException:  # noqa: BLE001 - whatever it is, it is told by the parent
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)


class _Begun:
    """Writes down which test runs, and lets none compute without end."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._place.write_text(nodeid, "utf-8")
        most = int(time.process_time()) + ENDLESS
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _said(fault: Fault, what: str) -> str:
    print(f"{what:9} {fault.file}: {fault.says} {fault.reason}", flush=True)
    return what


def _ended(child: int) -> int | None:
    """Wait for a trial; its exit status, or None where nothing of it ran for a while."""
    used, since, look = 0, time.monotonic(), 0.0
    try:
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > look:
                now, look = _ticks(child), time.monotonic() + 1
                if now != used:
                    used, since = now, time.monotonic()
            if time.monotonic() - since > IDLE:
                return None
            time.sleep(0.02)
    finally:
        with contextlib.suppress(ProcessLookupError):  # what it started goes, too
            os.killpg(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)


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
