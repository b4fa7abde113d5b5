"""The work of `evaluate retrieval`: every retriever on every file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.progress import Progress, TaskID

from ...models.encoder import PACKAGED
from ...reasoning.evaluation.retrieval import (
    RetrievalResult,
    evaluate_retrieval,
    require_supporting,
)
from ...reasoning.retrieval import GnnRet, Ranker, Retriever
from ...reasoning.retrieval import retriever as make_retriever
from ...reasoning.retrieval.gnn_parameters import GNN_RET
from ..console.progress import progress_bar
from ..graph.parameters import kept, source
from ..hoptrail import Hoptrail
from ..settings import Settings
from .graphs import (
    giving,
    graph_file,
    graph_of,
    prepared,
    require_material,
)


def measure_retrieval(
    settings: Settings,
    files: Sequence[Path],
    specs: Sequence[str],
    *,
    own: bool,
    fixed_graph: bool,
    corpus: Sequence[Path] = (),
) -> list[RetrievalResult]:
    """Measure every retriever on every file.

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


def _knows(retriever: Retriever, spec: str, file: Path) -> bool:
    """Whether a retriever was fitted to the questions of this very file."""
    provenance: Mapping[str, Any] = {}
    if isinstance(retriever, Ranker):
        provenance = retriever.fitted.provenance
    elif isinstance(retriever, GnnRet) and spec == retriever.name:
        provenance = kept(retriever.graph).get(GNN_RET.kind, {})
    hashes = {one.get("sha256") for one in provenance.get("sources", ())}
    return bool(hashes) and source(file)["sha256"] in hashes


def _advance(progress: Progress, task: TaskID):  # noqa: ANN202 - a callback
    return lambda: progress.advance(task)
