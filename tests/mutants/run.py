"""Put faults into a copy of the code, one at a time, and see whether the tests notice.

python tests/mutants/run.py [WORD ...]

faults.toml lists what no operator of a mutation tool makes: a fault of behaviour as a user would
meet it, the lines that have to become others, and the tests that are to notice. With words only
faults whose text or file holds one of them are tried. A fault whose lines are no longer in the file
is reported and has to be written anew. Exits with 1 where a fault without a `reason` survives or is
out of date.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".git", ".ci", "build", "*.egg-info", "__pycache__", ".*cache")
SECONDS = 300  # a fault may make something endless


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
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests.split()]
    paths = os.pathsep.join([str(copy.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, "-k", "not neo4j"],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "noticed"
    if done.returncode not in (0, 1):
        sys.exit(f"The tests {tests} can't be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return "noticed" if done.returncode else "SURVIVED"


if __name__ == "__main__":
    sys.exit(main())
