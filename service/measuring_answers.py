"""What `evaluate answers` does: every method asked every question, by the path that `ask` takes."""

import contextlib
import os
import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..kg.errors import BadRequest
from ..kg.text import stable_id
from ..kg.types import Answer
from ..loaders.questions import Question
from ..reasoning.evaluation.asking import AnswerResult, ask_all
from ..reasoning.evaluation.manifest import files_hash, graph_fingerprint
from ..reasoning.evaluation.outcome import Outcome
from ..reasoning.evaluation.retrieval import require_paragraphs
from ..reasoning.evaluation.run_file import RunFile
from ..reasoning.methods import Method, method
from ..reasoning.parts import Parts
from ..reasoning.retrieval import configured
from ..reasoning.spec import settable
from .hoptrail import Hoptrail
from .interrupting import vanishing
from .measuring import graph_of, prepared
from .parameters import source
from .progress import progress_bar
from .settings import DEFAULT_RETRIEVER
from .temporary import graph_file

_UNSAFE = re.compile(r"[^\w.=+-]+", re.ASCII)
LONGEST_NAME = 120  # characters; a name of a file may have 255 bytes, and ".jsonl.part" follows


@dataclass(frozen=True, slots=True)
class Setting:
    """How questions are asked.

    Args:
        retriever: its name and settings.
        own: from each question's own paragraphs, else from the whole graph.
        fixed_graph: use the given graph as it is, instead of a temporary one for each file.
        corpus: files and folders whose documents join each temporary graph.
    """

    retriever: str = DEFAULT_RETRIEVER
    own: bool = True
    fixed_graph: bool = False
    corpus: tuple[Path, ...] = ()


def measure_answers(
    tools: Hoptrail,
    files: Sequence[Path],
    methods: Sequence[str],
    setting: Setting,
    folder: Path | None = None,
) -> list[AnswerResult]:
    """Every method on every file.

    Args:
        tools: whose encoder, pipeline and model are used; closed at the end.
        methods: names with their settings.
        folder: of the run files, which an interrupted run goes on with; made where there is none.
            None makes a temporary one.

    Raises:
        BadRequest: a file holds no questions, or none that can be asked like this; a method lacks
            its language model, a retriever its ranker (all before anything is ingested); the graph
            lacks paragraphs, or the folder holds other runs.
        SourceError: a record can't be read.
        ModelMissing, StoreUnavailable: every question would meet it; the lines of those before
            are kept.
    """
    with tools:
        sets = prepared(tools, files, [setting.retriever], setting.fixed_graph)
        configured_methods = {spec: _method(tools, spec, setting.retriever) for spec in methods}
        for file, questions in sets.values():
            _require_answerable_from(file, questions, setting)
        results = []
        with _place(folder) as place, graph_file(tools, setting.corpus) as base:
            for name, (file, questions) in sets.items():
                given = [file] if any(question.paragraphs for question in questions) else []
                with graph_of(tools, given, setting.fixed_graph, base) as hop:
                    require_paragraphs(name, questions if setting.own else [], hop.store)
                    hop.encoder.encode_queries([name])  # loading it is no part of anyone's seconds
                    about = _about(hop, name, file, questions, setting)
                    runs = dict[str, RunFile]()
                    for spec, made in configured_methods.items():
                        manifest = {**about, "method": spec, "settings": _settings(made)}
                        runs[spec] = RunFile(place / f"{_safe(name, spec)}.jsonl", manifest)
                        runs[spec].require_fitting()
                    for spec, run in runs.items():
                        each = _asked(hop, run, questions, spec, setting, name)
                        results.append(AnswerResult(name, spec, each, run.manifest))
    return results


@contextlib.contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    """The folder of the run files: the one named, made where there is none, or a temporary one."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="hoptrail-") as made, vanishing(Path(made)):
            yield Path(made)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(f"{folder} is read-only")
    except OSError as error:
        raise BadRequest(
            f"Runs can't be written to {folder} ({error}). Name another folder."
        ) from None
    yield folder


def _asked(
    hop: Hoptrail,
    run: RunFile,
    questions: Sequence[Question],
    spec: str,
    setting: Setting,
    name: str,
) -> list[Outcome]:
    def ask(question: Question) -> Answer:
        within = hop.store.passages_of(_own(question)) if setting.own else None
        return hop.ask(
            question.question,
            method=spec,
            retriever=setting.retriever,
            within=within,
            options=question.options,
            record=False,
        )

    with run, progress_bar() as progress:
        task = progress.add_task(f"{name}, {spec}", total=len(questions))
        return ask_all(
            questions,
            ask,
            hop.store,
            done=run.done,
            keep=run.keep,
            progress=lambda: progress.advance(task),
        )


def _own(question: Question) -> Collection[str]:
    return {paragraph.document_id for paragraph in question.paragraphs if paragraph.text}


def _method(tools: Hoptrail, spec: str, retriever: str) -> Method:
    """Says now what is wrong with it: no language model, or a setting out of range."""
    found = configured(retriever, tools.store, tools.encoder)
    return method(spec, Parts(tools.store, tools.encoder, tools.pipeline, found, None, tools.model))


def _require_answerable_from(file: Path, questions: Sequence[Question], setting: Setting) -> None:
    """Refuse questions that would be asked over nothing."""
    bare = [question for question in questions if not _own(question)]
    if setting.own and bare:
        raise BadRequest(
            f"{file}: question {bare[0].id!r} brings no paragraphs of its own. Answer from the "
            "whole corpus: --whole."
        )
    if len(bare) == len(questions) and not (setting.fixed_graph or setting.corpus):
        raise BadRequest(
            f"The questions of {file} bring no paragraphs. Name what they are answered from: "
            "--corpus PATH, or --graph WHERE."
        )


def _about(
    hop: Hoptrail, name: str, file: Path, questions: Sequence[Question], setting: Setting
) -> dict[str, Any]:
    """The manifest but for the method."""
    prompts = os.environ.get("HOPTRAIL_PROMPTS")
    model = hop.model
    found = configured(setting.retriever, hop.store, hop.encoder)
    return {
        "hoptrail": version("hoptrail"),
        "dataset": name,
        "data": source(file),
        "questions": len(questions),
        "within": "own paragraphs" if setting.own else "whole graph",
        "corpus": {one.resolve().name: files_hash([one]) for one in setting.corpus},
        "graph": graph_fingerprint(hop.store),
        "pipeline": hop.pipeline.fingerprint,
        "model": model and {"name": model.name, "fingerprint": model.fingerprint},
        "retriever": setting.retriever,
        "retriever_settings": _settings(found),
        "reader": files_hash([Path(hop.reader)]) if hop.reader else "packaged",
        "prompts": files_hash([Path(prompts)]) if prompts else "packaged",
    }


def _settings(made: object) -> dict[str, Any]:
    return {name: getattr(made, name) for name in settable(type(made))}


def _safe(name: str, spec: str) -> str:
    """A name for files; what can't stand in one, or would be too long, goes and a hash comes."""
    whole = f"{name}-{spec}"
    text = _UNSAFE.sub("-", whole)[:LONGEST_NAME]
    return text if text == whole else f"{text}-{stable_id(name, spec)[:8]}"
