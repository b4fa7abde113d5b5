"""Saved runs, read whole: what was measured is never asked again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....kg.errors import BadRequest
from .outcome import Outcome
from .results import AnswerResult
from .run_file import read_lines, read_manifest

NEEDED = {
    "dataset": str,
    "method": str,
    "data": dict,
    "questions": int,
    "within": str,
    "graph": dict,
    "retriever": str,
    "model": dict | None,
}
"""What the manifest of any run says, and its type."""


@dataclass(frozen=True)
class SavedRun:
    """A finished run, read from its files.

    Args:
        place: the folder or file by which it was named.
        lines: its .jsonl.
    """

    place: Path
    lines: Path
    result: AnswerResult


def saved_runs(places: Sequence[Path]) -> list[SavedRun]:
    """Read the runs in these folders, by name, and of these files; each once, as named.

    Raises:
        BadRequest: a folder holds no run, a run is not finished or has no manifest, or a line is no
            outcome of a question.
    """
    found: dict[Path, SavedRun] = {}
    for place in places:
        for lines in _runs_in(place) if place.is_dir() else [place.with_suffix(".jsonl")]:
            if lines.resolve() not in found:
                found[lines.resolve()] = SavedRun(place, lines, _read(lines))
    return list(found.values())


def _runs_in(folder: Path) -> Iterator[Path]:
    """Each .json that is a manifest or has lines beside it; a folder may hold other files."""
    runs = [
        beside.with_suffix(".jsonl")
        for beside in sorted(folder.glob("*.json"))
        if beside.with_suffix(".jsonl").exists() or _is_manifest(read_manifest(beside))
    ]
    if not runs:
        raise BadRequest(
            f"{folder} holds no runs. Name a folder that `hoptrail evaluate answers DATA --out "
            "FOLDER` wrote, or a .jsonl file in one."
        )
    yield from runs


def _read(lines: Path) -> AnswerResult:
    beside = lines.with_suffix(".json")
    manifest = read_manifest(beside) if beside.exists() else None
    if manifest is None or not _is_manifest(manifest):
        what = "is no manifest of a run" if beside.exists() else "is missing"
        raise BadRequest(
            f"{lines} can't be compared: its manifest {beside} {what}. Name a file that `hoptrail "
            "evaluate answers DATA --out FOLDER` wrote."
        )
    each = _each(lines)
    count, missing = manifest["questions"], manifest["questions"] - len(each)
    if missing:
        what = f"lacks {missing:,} of" if missing > 0 else f"has {-missing:,} more than"
        raise BadRequest(
            f"{lines} {what} the {count:,} questions of its run. `hoptrail evaluate answers` with "
            f"the options of {beside.name} and --out {lines.parent} asks what is missing."
        )
    return AnswerResult(manifest["dataset"], manifest["method"], each, manifest)


def _each(lines: Path) -> list[Outcome]:
    found = dict[str, Outcome]()
    for number, one in enumerate(read_lines(lines) if lines.exists() else [], 1):
        if one.id in found:
            raise BadRequest(
                f"{lines}, line {number} answers question {one.id!r} a second time. Take one of "
                "the two out: two processes wrote this run at the same time."
            )
        found[one.id] = one
    return list(found.values())


def _is_manifest(found: dict[str, Any] | None) -> bool:
    if found is None or not all(
        name in found and isinstance(found[name], kind) for name, kind in NEEDED.items()
    ):
        return False
    graph, model = found["graph"], found["model"]
    counts = graph.get("counts")
    return (
        isinstance(found["data"].get("sha256"), str)
        and isinstance(graph.get("encoder"), dict | None)
        and isinstance(counts, dict)
        and isinstance(counts.get("passages"), int)
        and (model is None or isinstance(model.get("name"), str))
    )
