"""`hoptrail export`: the whole graph as JSONL, moved to its place when whole."""

import json
import os
import sys
from pathlib import Path

from ..kg.store import GraphStore


def export_graph(store: GraphStore, file: Path) -> int:
    """Write every record as a line; how many. An older file stays until this one is whole."""
    if str(file) == "-":
        return _write(store, sys.stdout)
    file = file.resolve()
    if file.exists() and not file.is_file():  # a device or a pipe is written to, not replaced
        with file.open("w", encoding="utf-8") as out:
            return _write(store, out)
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("w", encoding="utf-8") as out:
            count = _write(store, out)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
    return count


def _write(store: GraphStore, out) -> int:  # noqa: ANN001 - any text file
    count = 0
    for record in store.records():
        if record["kind"] == "triple":
            record["embedding"] = None  # computed when a question needs it: not what was ingested
        out.write(json.dumps(record, ensure_ascii=False) + "\n")
        count += 1
    return count
