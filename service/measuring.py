"""What `evaluate retrieval` and `train reader` do, and what measuring answers shares with them."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.progress import Progress, TaskID

from ..kg.errors import BadRequest
from ..loaders.questions.files import Question
from ..loaders.records import quoted
from ..models.encoder import PACKAGED
from ..reasoning.evaluation.metrics.gold import document_ids
from ..reasoning.evaluation.retrieval import (
    RetrievalResult,
    evaluate_retrieval,
    require_supporting,
)
from ..reasoning.reader import Weights
from ..reasoning.retrieval import GnnRet, Ranker, Retriever, configured
from ..reasoning.retrieval import retriever as make_retriever
from ..reasoning.retrieval.learned import KIND
from ..reasoning.training.reader import train
from .hoptrail import Hoptrail
from .parameters import kept, source
from .progress import progress_bar
from .question_files import question_sets
from .settings import Settings
from .temporary import graph_file, temporary_graph


def measure_retrieval(
    settings: Settings,
    files: Sequence[Path],
    specs: Sequence[str],
    *,
    own: bool,
    fixed_graph: bool,
    corpus: Sequence[Path] = (),
) -> list[RetrievalResult]:
    """Every retriever on every file.

    Args:
        settings: as the command line's.
        specs: names of retrievers with their settings.
        fixed_graph: use the graph of the settings as it is, instead of a temporary one for each
            file.
        corpus: files and folders whose documents join each temporary graph.

    Raises:
        BadRequest: a file holds no questions, or none that can be measured like this, a retriever's
            setting is out of its range or its ranker missing (all before anything is ingested), or
            the graph lacks paragraphs.
        SourceError: a record can't be read.
    """
    tools = Hoptrail.of(settings)
    sets = prepared(tools, files, specs, fixed_graph)
    for name, (file, questions) in sets.items():
        require_supporting(name, questions)
        asked = [question for question in questions if question.supporting_titles]
        instead = "Rank the whole corpus: leave --own out."
        require_material(file, asked, own, fixed_graph or bool(corpus), instead)
    setup = {
        "encoder": settings.encoder or PACKAGED,
        "graph": tools.store.where if fixed_graph else "temporary",
        "corpus": [file.resolve().name for file in corpus],
    }
    results = []
    with tools, graph_file(tools, corpus) as base:
        for name, (file, questions) in sets.items():
            given, most = giving(file, questions), sum(bool(q.supporting_titles) for q in questions)
            with graph_of(tools, given, fixed_graph, base) as hop, progress_bar() as progress:
                for spec in specs:
                    task = progress.add_task(f"{name}, {spec}", total=most)
                    retriever = make_retriever(spec, hop.store, hop.check_encoder())
                    result = evaluate_retrieval(
                        name,
                        questions,
                        hop.store,
                        retriever,
                        own=own,
                        label=spec,
                        progress=_advance(progress, task),
                    )
                    about = setup | {"fitted_to_these": _knows(retriever, spec, file)}
                    results.append(replace(result, settings={**result.settings, **about}))
    return results


def train_reader(settings: Settings, files: Sequence[Path]) -> Weights:
    """The reader's weights, fitted on question files weighted alike."""
    hop = Hoptrail.of(settings)
    with progress_bar() as progress:
        task = progress.add_task("Reading questions", total=None)
        return train(
            files,
            hop.encoder,
            hop.pipeline,
            lambda done, total: progress.update(task, completed=done, total=total),
        )


def _knows(retriever: Retriever, spec: str, file: Path) -> bool:
    """Whether a retriever was fitted to the questions of this very file."""
    provenance: Mapping[str, Any] = {}
    if isinstance(retriever, Ranker):
        provenance = retriever.fitted.provenance
    elif isinstance(retriever, GnnRet) and spec == GnnRet.name:
        provenance = kept(retriever.graph).get(KIND, {})
    hashes = {one.get("sha256") for one in provenance.get("sources", ())}
    return bool(hashes) and source(file)["sha256"] in hashes


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
    """Files by name with their questions; what is wrong is found before the work."""
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
    """The file, where its questions bring documents to be ingested."""
    return [file] if any(document_ids(question.paragraphs) for question in questions) else []


def graph_of(
    tools: Hoptrail, files: Sequence[Path], fixed: bool, base: Path | None = None
) -> AbstractContextManager[Hoptrail]:
    """The user's graph as it is, or a temporary one of the files and of what `base` holds."""
    return nullcontext(tools) if fixed else temporary_graph(tools, files, base)


def _advance(progress: Progress, task: TaskID):  # noqa: ANN202 - a callback
    return lambda: progress.advance(task)
