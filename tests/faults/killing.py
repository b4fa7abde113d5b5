"""Ingestion killed at random moments, in children of this process: `killing.py KILLS FOLDER`.

A process of its own, so that nothing but what the children need was ever started in it. A child
dies after a random time, at a random step of SQLite's machine, or at a random byte that it writes
(the kernel's limit on a file's size, which tears a page). Then the same ingestion runs to its end.
Prints one JSON object; test_killed.py reads it.
"""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path

from ingesting import BEFORE, SOURCES, clear, ingest, whole

STEPS = 100  # instructions of SQLite's machine between two looks
connect = sqlite3.connect


class Looks:
    """Counts looks at running statements; the process dies at the `last` one."""

    def __init__(self, last: int = 0) -> None:
        self.count = 0
        self.last = last

    def __call__(self) -> int:
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def connect(self, *arguments, **settings) -> sqlite3.Connection:
        connection = connect(*arguments, **settings)
        connection.set_progress_handler(self, STEPS)
        return connection


def child(path: Path, mode: str, at: float) -> int:
    """Starts a child that ingests and dies at `at` seconds, looks or bytes; its pid."""
    if pid := os.fork():
        if mode == "time":
            time.sleep(at)
            os.kill(pid, signal.SIGKILL)
        return pid
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if mode == "step":
            sqlite3.connect = Looks(int(at)).connect
        elif mode == "byte":
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(at), resource.RLIM_INFINITY))
        ingest(path, SOURCES)
    finally:
        os._exit(0)


def main(kills: int, folder: Path) -> None:
    base, path, looks = folder / "base.db", folder / "graph.db", Looks()
    ingest(base, BEFORE)
    shutil.copy(base, path)
    sqlite3.connect = looks.connect
    started = time.perf_counter()
    expected = ingest(path, SOURCES)
    most = {
        "time": time.perf_counter() - started,
        "step": looks.count,
        "byte": path.stat().st_size,
    }
    sqlite3.connect = connect
    clear(path)
    afresh = ingest(path, SOURCES)
    rolled, died, wrong = random.Random(0), Counter[str](), list[str]()
    number = 0
    while died.total() < kills:  # a child may be faster than its death
        number += 1
        clear(path)
        new = number % 10 == 9  # killed while the graph is made
        if not new:
            shutil.copy(base, path)
        mode = ("time", "step", "byte")[number % 3]
        at = rolled.random() * most[mode]
        _, status = os.waitpid(child(path, mode, at), 0)
        died[mode] += os.WIFSIGNALED(status)
        if not new and not whole(path):
            wrong.append(f"kill {number} ({mode} {at}): not whole after the kill")
        if ingest(path, SOURCES) != (afresh if new else expected) or not whole(path):
            wrong.append(f"kill {number} ({mode} {at}): not equal to an uninterrupted run")
    sys.stdout.write(json.dumps({"died": died, "wrong": wrong}))


main(int(sys.argv[1]), Path(sys.argv[2]))
