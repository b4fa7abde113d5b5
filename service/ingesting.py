"""`hoptrail ingest`: counting first, then progress with rate and time left, then a summary."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ..kg.errors import BadRequest
from ..kg.ingest import Report
from ..loaders import documents
from .hoptrail import Hoptrail
from .printing import note, print_json


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="dim")


def ingest_with_progress(
    hop: Hoptrail,
    paths: Sequence[str],
    *,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - Hoptrail.ingest checks them
) -> Report:
    """Ingest with progress on standard error, and a summary there or as JSON on standard output.

    Args:
        options: of `Hoptrail.ingest`.
    """
    if not all(path.strip() for path in paths):
        raise BadRequest("A path is empty; name the files and folders to ingest.")
    total = sum(
        1 for _ in documents(map(Path, paths))
    )  # reading is a small part of the work, and makes the time left known
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Ingesting documents", total=total)
        report = hop.ingest(
            *paths,
            progress=lambda so_far: progress.update(task, completed=so_far.seen),
            **options,
        )
    if as_json:
        print_json(_summary(report))
    else:
        _print_summary(hop, report)
        if options.get("triples") == "model" and report.unchanged and not options["regenerate"]:
            note("Unchanged documents keep the triples they have; --regenerate replaces others'.")
    return report


def _summary(report: Report) -> dict[str, object]:
    return {
        "documents": {
            "added": report.added,
            "changed": report.changed,
            "unchanged": report.unchanged,
        },
        "passages": report.passages,
        "statements": report.statements,
        "nothing_valid": report.invalid,
        "failures": [{"source": f.source, "reason": f.reason} for f in report.failures],
        "seconds": {stage: round(seconds, 2) for stage, seconds in report.seconds.items()},
    }


def _print_summary(hop: Hoptrail, report: Report) -> None:
    note(
        f"{hop.store.where}: {report.added:,} documents added, {report.changed:,} changed, "
        f"{report.unchanged:,} unchanged; {report.passages:,} passages, "
        f"{report.statements:,} statements."
    )
    stages = ", ".join(f"{s} {t:.1f} s" for s, t in report.seconds.items() if t and s != "wall")
    if stages:
        stages = f" ({stages}; encoding overlaps with what is before it)"
    note(f"{report.seconds['wall']:.1f} s{stages}.")
    if report.invalid:
        note(f"Of {report.invalid:,} passages the model said nothing that is a triple.")
    for failure in report.failures:
        note(f"not read: {failure.source}: {failure.reason}")
    if report.failures:
        note(f"{len(report.failures)} could not be read; mend them and repeat the command.")
