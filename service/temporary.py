"""Graphs to measure in, gone when the measuring ends, however it ends."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..kg.errors import SourceError
from ..loaders import Options, measure
from .hoptrail import Hoptrail
from .interrupting import vanishing
from .progress import progress_bar

BY_CONTENT = Options(id_field="", metadata_fields=())
"""A record with the title and text of a question's paragraph is that paragraph."""
QUESTIONS = replace(BY_CONTENT, format="jsonl")
"""Question files, whatever they are called: QuALITY's end in ".dev"."""


@contextlib.contextmanager
def temporary_graph(
    tools: Hoptrail,
    files: Sequence[Path],
    base: Path | None = None,
    reading: Options = QUESTIONS,
) -> Iterator[Hoptrail]:
    """A graph of these files, and of what `base` holds already.

    Args:
        tools: whose encoder and pipeline are used.
        base: a graph that `graph_file` yielded; it is copied.
        reading: how the files are read.

    Raises:
        SourceError: a record can't be read; less than everything would flatter what is measured.
    """
    with tempfile.TemporaryDirectory(prefix="hoptrail-") as folder, vanishing(Path(folder)):
        path = Path(folder) / "graph.db"
        if base:
            shutil.copyfile(base, path)
        with Hoptrail(
            path,
            encoder=tools.encoder,
            pipeline=tools.pipeline,
            model=tools.model,
            reader=tools.reader,
        ) as hop:
            if files:
                _ingest(hop, files, reading)
            yield hop


@contextlib.contextmanager
def graph_file(tools: Hoptrail, files: Sequence[Path]) -> Iterator[Path | None]:
    """A closed graph of these files and folders, to be copied; None without files."""
    if not files:
        yield None
        return
    with temporary_graph(tools, files, reading=BY_CONTENT) as hop:
        hop.close()  # folds everything into the one file
        yield Path(hop.store.where)


def _ingest(hop: Hoptrail, files: Sequence[Path], reading: Options) -> None:
    names = ", ".join(file.name for file in files)
    with progress_bar() as progress:
        meter = measure(files, reading)
        task = progress.add_task(f"{names}: into a temporary graph", total=meter.total)
        report = hop.ingest(
            *files,
            reading=reading,
            meter=meter,
            progress=lambda _: progress.update(task, completed=meter.done),
        )
    for failure in report.failures:
        raise SourceError(failure.source, failure.reason)
    if not report.seen:
        raise SourceError(names, "holds no file of a known format (docs/formats.md)")
