"""Graphs to measure in, gone when the measuring ends, however it ends."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from ...kg.errors import BadRequest, SourceError
from ...kg.text.words import words
from ...loaders import Options, measure
from ...loaders.questions.files import Question, read_questions
from ...loaders.records import quoted
from ...reasoning.evaluation.metrics.gold import document_ids
from ...reasoning.retrieval import Ranker, configured
from ..console.interrupting import vanishing
from ..console.progress import progress_bar
from ..hoptrail import Hoptrail
from ..written import WrittenMeter

BY_CONTENT = Options(id_field="", metadata_fields=())
"""A record with the title and text of a question's paragraph is that paragraph."""
QUESTIONS = replace(BY_CONTENT, format="jsonl")
"""Question files, whatever they are called: QuALITY's end in ".dev"."""
SUFFIXES = (".json", ".jsonl", ".csv", ".tsv")
"""That say nothing of what is in a file; QuALITY's do."""


@contextlib.contextmanager
def temporary_graph(
    tools: Hoptrail,
    files: Sequence[Path],
    base: Path | None = None,
    reading: Options = QUESTIONS,
) -> Iterator[Hoptrail]:
    """Make a graph of these files, and of what `base` holds already, until the end.

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
    """Make a closed graph of these files and folders, to be copied; None without files."""
    if not files:
        yield None
        return
    with temporary_graph(tools, files, reading=BY_CONTENT) as hop:
        made = Path(hop.store.where)
        hop.close()  # folds everything into the one file
        yield made


def _ingest(hop: Hoptrail, files: Sequence[Path], reading: Options) -> None:
    names = ", ".join(file.name for file in files)
    with progress_bar() as progress:
        meter = WrittenMeter(total=measure(files, reading).total)
        task = progress.add_task(f"{names}: into a temporary graph", total=meter.total)
        report = hop.ingest(
            *files,
            reading=reading,
            meter=meter,
            progress=lambda so_far: progress.update(task, completed=meter.written(so_far.seen)),
        )
    for failure in report.failures:
        raise SourceError(failure.source, failure.reason)
    if not report.seen:
        raise SourceError(names, "holds no file of a known format (docs/formats.md)")


def question_sets(files: Sequence[Path]) -> dict[str, tuple[Path, list[Question]]]:
    """Read each file once, with its questions, by its name: whole paths where stems are alike.

    Raises:
        BadRequest: a file holds no questions, or one that has no words.
        SourceError: a record can't be read.
    """
    files = list({file.resolve(): file for file in files}.values())
    stems = [f.stem if f.suffix.lower() in SUFFIXES else f.name for f in files]
    names = [str(f) if stems.count(s) > 1 else s for f, s in zip(files, stems, strict=True)]
    return {name: (f, _questions(f)) for name, f in zip(names, files, strict=True)}


def _questions(file: Path) -> list[Question]:
    questions = list(read_questions(file))
    if not questions:
        raise BadRequest(f"{file} holds no questions.")
    for question in questions:
        if not words(question.question):
            raise BadRequest(
                f"{file}: question {quoted(question.id)} has no words to look for; take it out."
            )
    return questions


def _require_ranker(ranker: Ranker, fixed_graph: bool) -> None:
    if ranker.file is None and not fixed_graph:
        raise BadRequest(
            "A temporary graph has no ranker. Name a file that `hoptrail train ranker DATA --out "
            "FILE` wrote (ranker:file=FILE), or the graph that one is kept with (--graph WHERE)."
        )
    ranker.fitted  # noqa: B018 - reading it checks it


def prepared(
    tools: Hoptrail, files: Sequence[Path], specs: Sequence[str], fixed_graph: bool
) -> dict[str, tuple[Path, list[Question]]]:
    """Read the questions of files, by name; what is wrong is found before the work."""
    for spec in specs:
        made = configured(spec, tools.store, tools.encoder)
        if isinstance(made, Ranker):
            _require_ranker(made, fixed_graph)
    return question_sets(files)


def require_material(
    file: Path, questions: Sequence[Question], own: bool, elsewhere: bool, instead: str
) -> None:
    """Refuse questions that would be asked over nothing.

    Args:
        own: each is asked over its own paragraphs.
        elsewhere: a graph or a corpus is named.
        instead: what to do where a question has no paragraphs of its own.

    Raises:
        BadRequest: they would.
    """
    bare = [question for question in questions if not document_ids(question.paragraphs)]
    if own and bare:
        raise BadRequest(
            f"{file}: question {quoted(bare[0].id)} brings no paragraphs of its own. {instead}"
        )
    if elsewhere:
        return
    if len(bare) == len(questions):
        raise BadRequest(
            f"The questions of {file} bring no paragraphs. Name what they are answered from: "
            "--corpus PATH, or --graph WHERE."
        )
    if any(question.documents for question in questions):
        raise BadRequest(
            f"The questions of {file} link to articles that it does not hold. Name what holds "
            "them: --corpus context_articles.json, or --graph WHERE."
        )


def giving(file: Path, questions: Sequence[Question]) -> list[Path]:
    """Return the file in a list, where its questions bring documents to be ingested, else []."""
    return [file] if any(document_ids(question.paragraphs) for question in questions) else []


def graph_of(
    tools: Hoptrail, files: Sequence[Path], fixed: bool, base: Path | None = None
) -> AbstractContextManager[Hoptrail]:
    """Open the user's graph as it is, or a temporary one of the files and of `base`."""
    return nullcontext(tools) if fixed else temporary_graph(tools, files, base)
