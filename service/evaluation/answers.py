"""What `evaluate answers` does: every method asked every question, by the path that `ask` takes."""

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ...kg.answers import Answer
from ...kg.errors import BadRequest
from ...kg.text.words import stable_id
from ...loaders.questions.files import Question
from ...models.language import LanguageModel
from ...reasoning import methods as answering
from ...reasoning.evaluation.metrics.gold import Holdings
from ...reasoning.evaluation.runs.asking import ask_all
from ...reasoning.evaluation.runs.manifest import (
    content_hash,
    graph_fingerprint,
    question_file,
    text_hash,
)
from ...reasoning.evaluation.runs.outcome import Outcome
from ...reasoning.evaluation.runs.results import AnswerResult
from ...reasoning.evaluation.runs.run_file import RunFile
from ...reasoning.prompts import own_folder
from ...reasoning.registry import settings_of
from ...reasoning.retrieval import Ranker, retriever
from ...reasoning.retrieval.ranker import RANKER
from ..console.interrupting import vanishing
from ..console.progress import counting_bar
from ..hoptrail import Hoptrail
from ..settings import DEFAULT_RETRIEVER
from .graphs import giving, graph_file, graph_of, prepared, require_material

_UNSAFE = re.compile(r"[^\w.=+-]+", re.ASCII)
MAX_NAME = 120  # characters; a name of a file may have 255 bytes, and ".jsonl.part" follows


@dataclass(frozen=True, slots=True)
class RunPlan:
    """How questions are asked.

    Args:
        retriever: its name and settings; None: the method's own, or "hop" where it has none.
        own: from each question's own paragraphs, else from the whole graph.
        fixed_graph: use the given graph as it is, instead of a temporary one for each file.
        corpus: files and folders whose documents join each temporary graph.
        at_once: questions under way at the same time, for models that serve several.
        sources: what evidence may be, as for `Hoptrail.ask`.
    """

    retriever: str | None = None
    own: bool = True
    fixed_graph: bool = False
    corpus: tuple[Path, ...] = ()
    at_once: int = 1
    sources: tuple[str, ...] | None = None

    def retriever_of(self, method: str) -> str:
        """Tell which retriever a method's word runs on."""
        made, _ = answering.configured(method)
        return str(answering.retriever_of(made, self.retriever, DEFAULT_RETRIEVER))


def measure_answers(
    tools: Hoptrail,
    files: Sequence[Path],
    methods: Sequence[str],
    setting: RunPlan,
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
        ModelUnavailable: the model is not there (before anything is ingested).
        ModelMissing, StoreUnavailable: every question would meet it; the lines of those before
            are kept.
    """
    with tools:
        settings = {spec: _settings(spec, tools.model) for spec in methods}
        specs = list(dict.fromkeys(map(setting.retriever_of, methods)))
        sets = prepared(tools, files, specs, setting.fixed_graph)
        for file, questions in sets.values():
            elsewhere = setting.fixed_graph or bool(setting.corpus)
            over = "" if elsewhere else " --corpus PATH (or --graph WHERE)"
            instead = f"Answer from a whole corpus: --whole{over}."
            require_material(file, questions, setting.own, elsewhere, instead)
        if tools.model:
            tools.model.fingerprint  # noqa: B018 - reading it finds a model that is not there
        results = []
        with _place(folder) as place, graph_file(tools, setting.corpus) as base:
            for name, (file, questions) in sets.items():
                given = giving(file, questions)
                with graph_of(tools, given, setting.fixed_graph, base) as hop:
                    held = Holdings(hop.store)
                    held.require_paragraphs(name, questions if setting.own else [])
                    held.require_linked(name, questions)
                    hop.encoder.encode_queries([name])  # loading it is no part of anyone's seconds
                    about = about_run(hop, name, file, questions, setting)
                    manifests = {
                        spec: about
                        | _about_retriever(hop, setting.retriever_of(spec))
                        | {"method": spec, "settings": of_spec}
                        for spec, of_spec in settings.items()
                    }
                    for spec, run in _runs(place, name, manifests).items():
                        each = _asked(hop, held, run, questions, spec, setting, name)
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


def _runs(place: Path, name: str, manifests: Mapping[str, dict[str, Any]]) -> dict[str, RunFile]:
    """The run of each method on a file; those that can't go on are found before any is asked."""
    runs = dict[str, RunFile]()
    for spec, manifest in manifests.items():
        runs[spec] = RunFile(place / f"{_safe(name, spec)}.jsonl", manifest)
        runs[spec].require_fitting()
    return runs


def _asked(
    hop: Hoptrail,
    held: Holdings,
    run: RunFile,
    questions: Sequence[Question],
    spec: str,
    setting: RunPlan,
    name: str,
) -> list[Outcome]:
    def ask(question: Question) -> Answer:
        within = hop.store.passages_of(held.own(question)) if setting.own else None
        return hop.consider(
            question.question,
            method=spec,
            retriever=setting.retriever,
            within=within,
            sources=setting.sources,
            options=question.options,
            nearest=True,
        ).answer

    with run, counting_bar() as progress:
        task = progress.add_task(f"{name}, {spec}", total=len(questions))
        each = ask_all(
            questions,
            ask,
            hop.store,
            at_once=setting.at_once,
            done=run.done,
            keep=run.keep,
            progress=lambda: progress.advance(task),
        )
        run.finish(each)
        return each


def _settings(spec: str, model: LanguageModel | None) -> dict[str, object]:
    """All settings of a method; says now what is wrong: no language model, or one out of range."""
    method, budget = answering.configured(spec)
    answering.check(method, model)
    return answering.settings(method, budget)


def _safe(name: str, spec: str) -> str:
    """A name for files; what can't stand in one, or would be too long, goes and a hash comes."""
    whole = f"{name}-{spec}"
    text = _UNSAFE.sub("-", whole).lstrip(".")[:MAX_NAME]  # a dot would hide it
    return text if text == whole else f"{text}-{stable_id(name, spec)[:8]}"


def about_run(
    hop: Hoptrail, name: str, file: Path, questions: Sequence[Question], setting: "RunPlan"
) -> dict[str, Any]:
    """The manifest of a run but for method and retriever: what decides what comes of questions."""
    prompts = own_folder()
    model = hop.model
    return {
        "hoptrail": version("hoptrail"),
        "dataset": name,
        "data": question_file(file),
        "questions": len(questions),
        "within": "own paragraphs" if setting.own else "whole graph",
        "corpus": {one.resolve().name: content_hash(one) for one in setting.corpus},
        "graph": graph_fingerprint(hop.store),
        "pipeline": hop.pipeline.fingerprint,
        "model": model and {"name": model.name, "fingerprint": model.fingerprint},
        "reader": content_hash(Path(hop.reader)) if hop.reader else "packaged",
        "prompts": content_hash(prompts) if prompts else "packaged",
        "at_once": setting.at_once,
        "sources": setting.sources and list(setting.sources),
    }


def _about_retriever(hop: Hoptrail, word: str) -> dict[str, Any]:
    found = retriever(word, hop.store, hop.encoder)
    return {
        "retriever": word,
        "retriever_settings": settings_of(found),
        "ranker": text_hash(RANKER.to_json(found.fitted)) if isinstance(found, Ranker) else None,
    }
