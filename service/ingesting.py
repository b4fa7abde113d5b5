"""`hoptrail ingest`: progress by the bytes read, with rate and time left, then a summary."""

from collections.abc import Sequence
from typing import Any

from ..kg.ingest.pipeline import Report
from ..loaders import Options, measure
from .hoptrail import Hoptrail
from .printing import in_a_line, note, print_json
from .progress import reading_bar


def ingest_with_progress(
    hop: Hoptrail,
    paths: Sequence[str],
    reading: Options,
    *,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - Hoptrail.ingest checks them
) -> Report:
    """Ingest with progress on standard error, and a summary there or as JSON on standard output.

    Args:
        reading: how files are read.
        options: of `Hoptrail.ingest`.
    """
    meter = measure(paths, reading)
    with reading_bar() as progress:
        task = progress.add_task("Ingesting", total=meter.total or None, seen=0)

        def show(so_far: Report) -> None:
            total = meter.total or None  # standard input is known only once it has been read
            progress.update(task, completed=meter.done, total=total, seen=so_far.seen)

        report = hop.ingest(*paths, reading=reading, meter=meter, progress=show, **options)
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
            "removed": report.removed,
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
    if report.removed:
        note(f"{report.removed:,} documents that are no longer there were removed.")
    if not report.seen:
        note("There is no file of a known format; --format NAME reads every file as that.")
    stages = ", ".join(f"{s} {t:.1f} s" for s, t in report.seconds.items() if t and s != "wall")
    if stages:
        stages = f" ({stages}; the stages overlap)"
    note(f"{report.seconds['wall']:.1f} s{stages}.")
    if report.invalid:
        note(f"Of {report.invalid:,} passages the model said nothing that is a triple.")
    for failure in report.failures:
        note(in_a_line(f"not read: {failure.source}: {failure.reason}"))
    if report.failures:
        note(f"{len(report.failures)} could not be read; mend them and repeat the command.")
