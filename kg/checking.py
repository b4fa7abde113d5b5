"""What the checks of both stores share: how a finding reads, and what is free on a disk."""

import shutil
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from .upkeep import Problem

SHOWN = 3  # examples a finding names
SPARE = 200_000_000  # bytes
INGEST_AGAIN = "`hoptrail ingest` of their sources replaces them"
MARKED = f"doctor --fix marks them, then {INGEST_AGAIN}"
OLDER = "an older version made the graph; whatever writes into it next brings it up to date"
RESTORE = "restore a backup, or ingest into a new graph"


def found(
    what: str, says: str, names: Iterable[object], mendable: bool, step: str = ""
) -> Problem | None:
    """A problem with a number and a few examples; None where there are none."""
    listed = iter(names)
    first = [str(name) or "(no title)" for name in islice(listed, SHOWN)]
    if not first:
        return None
    more = sum(1 for _ in listed)
    examples = ", ".join(first) + (", …" if more else "")
    detail = f"{says}: {len(first) + more:,} ({examples})"
    return Problem(what, f"{detail}; {step}" if step else detail, mendable)


def disk(folder: Path, size: int) -> list[Problem]:
    """Whether a folder's disk has room for a graph of this size (bytes) once more."""
    free, wanted = shutil.disk_usage(folder).free, max(size, SPARE)
    if free >= wanted:
        return []
    return [
        Problem(
            "disk",
            f"{folder} has {free / 1e6:,.0f} MB free, which may not do for a large change; free "
            f"{(wanted - free) / 1e6:,.0f} MB",
            mendable=False,
        )
    ]
