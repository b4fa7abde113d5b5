"""Two ingestions at once into one file, and a reader: `two_writers.py ROUNDS FOLDER`.

Prints one JSON object; test_two_writers.py reads it.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from ingesting import ENCODER, SOURCES, Source, clear, ingest, whole
from support.building import content

from hoptrail.kg.sqlite.store import SqliteStore


def forked(work: Callable[[], object]) -> int:
    """A child that does this work; it exits with 0 when that went well."""
    if pid := os.fork():
        return pid
    status = 1
    try:
        work()
        status = 0
    except BaseException:  # noqa: BLE001 - the child ends here
        traceback.print_exc()
    finally:
        os._exit(status)


def read(path: Path, enough: Path) -> None:
    """Sees whole states only, each later than the one before."""
    query, seen = ENCODER.encode_queries(["Town 7"])[0], 0
    with SqliteStore(path, patience=5.0) as store:
        while not enough.exists():
            counts = store.statistics()
            found = [scored.id for scored in store.nearest_passages(query, 100)]
            assert counts["documents"] >= seen
            assert len(found) >= min(counts["passages"], 100)
            assert list(store.passages(found)) == found
            seen = counts["documents"]
            time.sleep(0.02)


def together(path: Path, parts: Sequence[Sequence[Source]], enough: Path) -> bool:
    enough.unlink(missing_ok=True)
    reader = forked(lambda: read(path, enough))
    writers = [forked(lambda part=part: ingest(path, part)) for part in parts]
    went_well = [os.waitpid(pid, 0)[1] == 0 for pid in writers]
    enough.touch()
    return all([*went_well, os.waitpid(reader, 0)[1] == 0])


def main(rounds: int, folder: Path) -> None:
    path, enough = folder / "graph.db", folder / "enough"
    expected, wrong = ingest(folder / "alone.db", SOURCES), []
    for number in range(rounds):
        same = [SOURCES, SOURCES]
        different = [SOURCES[::2], SOURCES[1::2]]
        for what, parts in (("same", same), ("different", different)):
            clear(path)
            if not together(path, parts, enough):
                wrong.append(f"round {number}: a process failed on {what} documents")
            with SqliteStore(path) as store:
                if content(store) != expected or not whole(path):
                    wrong.append(f"round {number}: {what} documents gave another graph")
    sys.stdout.write(json.dumps({"wrong": wrong}))


main(int(sys.argv[1]), Path(sys.argv[2]))
