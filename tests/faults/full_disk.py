"""Ingestion and export on a disk that fills up: `full_disk.py FOLDER`, a small file system.

Prints one JSON object; test_full_disk.py reads it.
"""

import contextlib
import json
import shutil
import sys
import tempfile
from pathlib import Path

from ingesting import BEFORE, SOURCES, clear, ingest, whole
from support.building import content

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.service.graph.export import export_graph

LEFT = (0, 8, 32, 40, 64, 100, 200, 300, 400, 600, 800)  # KiB free


def fill(ballast: Path, left: int) -> None:
    size = shutil.disk_usage(ballast.parent).free - left * 1024
    ballast.write_bytes(bytes(max(size, 0)))
    if not left:
        with contextlib.suppress(OSError), ballast.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(1024))


def exported(path: Path, out: Path) -> str:
    with SqliteStore(path) as store:
        try:
            export_graph(store, out)
        except OSError as error:
            return str(error)
    return "done"


def main(disk: Path, elsewhere: Path) -> None:
    base, path, ballast = elsewhere / "base.db", disk / "graph.db", disk / "ballast"
    before = ingest(base, BEFORE)
    shutil.copy(base, elsewhere / "graph.db")
    expected = ingest(elsewhere / "graph.db", SOURCES)
    said, wrong = [], []
    for left in LEFT:
        clear(path)
        shutil.copy(base, path)
        fill(ballast, left)
        try:
            ingest(path, SOURCES)
            said.append("done")
        except StoreUnavailable as error:
            said.append(str(error))
        with SqliteStore(path) as store:
            there = content(store)
        if said[-1] != "done" and left < 100 and there != before:
            wrong.append(f"{left} KiB: not as it was")
        if not left and "No space" not in exported(path, disk / "out.jsonl"):
            wrong.append("exporting did not fail")
        ballast.unlink()
        if not whole(path):
            wrong.append(f"{left} KiB: damaged")
        if ingest(path, SOURCES) != expected:
            wrong.append(f"{left} KiB: not equal to an uninterrupted run")
        if {file.name for file in disk.iterdir()} != {"graph.db"}:
            wrong.append(f"{left} KiB: left {sorted(disk.iterdir())}")
    sys.stdout.write(json.dumps({"said": said, "wrong": wrong}))


with tempfile.TemporaryDirectory() as folder:
    main(Path(sys.argv[1]), Path(folder))
