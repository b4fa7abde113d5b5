"""What `evaluate` and `train` do: questions asked, figures as tables and JSON."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, TaskID

from ..kg.errors import BadRequest
from ..kg.types import Answer
from ..loaders.questions import Question, read_questions
from ..reasoning.evaluation.asking import AnswerResult, evaluate_answers
from ..reasoning.evaluation.intervals import Interval
from ..reasoning.evaluation.retrieval import RetrievalResult, evaluate_retrieval
from ..reasoning.reader import Weights
from ..reasoning.reader.training import train
from ..reasoning.retrieval import retriever
from .hoptrail import Hoptrail
from .settings import Settings


def measure_retrieval(
    settings: Settings,
    files: Sequence[Path],
    names: Sequence[str],
    *,
    own: bool,
    fixed_graph: bool,
) -> list[RetrievalResult]:
    """Every retriever on every file.

    Args:
        settings: as the command line's.
        fixed_graph: use the graph of the settings as it is, instead of a temporary one for each
            file.
    """
    results = []
    for file in files:
        questions = _questions(file)
        with _graph_of(settings, file, fixed_graph) as hop, _progress() as progress:
            for name in names:
                chosen = retriever(name.strip(), hop.store, hop.check_encoder())
                task = progress.add_task(f"{file.stem}, {chosen.name}", total=len(questions))
                results.append(
                    evaluate_retrieval(
                        file.stem,
                        questions,
                        hop.store,
                        chosen,
                        own=own,
                        progress=_advance(progress, task),
                    )
                )
    return results


def measure_answers(
    settings: Settings,
    files: Sequence[Path],
    *,
    own: bool,
    retriever: str,
    fixed_graph: bool,
) -> list[AnswerResult]:
    """`ask` on every question of every file; the rest as for `measure_retrieval`."""
    results = []
    for file in files:
        questions = _questions(file)
        with _graph_of(settings, file, fixed_graph) as hop, _progress() as progress:
            task = progress.add_task(f"{file.stem}, answers", total=len(questions))

            def ask(question: Question, hop: Hoptrail = hop) -> Answer:
                ids = [paragraph.document_id for paragraph in question.paragraphs]
                within = hop.store.passages_of(ids) if own else None
                return hop.ask(question.question, retriever=retriever, within=within, record=False)

            advance = _advance(progress, task)
            results.append(evaluate_answers(file.stem, questions, ask, advance))
    return results


def train_reader(settings: Settings, files: Sequence[Path]) -> Weights:
    """The reader's weights, fitted on question files weighted alike."""
    hop = Hoptrail.of(settings)
    with _progress() as progress:
        task = progress.add_task("Reading questions", total=None)
        return train(
            files,
            hop.encoder,
            hop.pipeline,
            lambda done, total: progress.update(task, completed=done, total=total),
        )


def retrieval_table(results: Sequence[RetrievalResult]) -> Iterator[str]:
    """Lines of a table, figures in % with the 95 % interval of recall@5."""
    yield f"{'':32}{'recall@2':>9}{'recall@5':>9}{'95 %':>15}{'recall@10':>10}{'all@5':>7}{'ms':>7}"
    for r in results:
        five = r.figures["recall@5"]
        yield (
            f"{r.dataset[:23]:24}{r.retriever:8}{_percent(r.figures['recall@2']):>9}{_percent(five):>9}"
            f"{f'[{100 * five.low:.1f}, {100 * five.high:.1f}]':>15}"
            f"{_percent(r.figures['recall@10']):>10}"
            f"{_percent(r.figures['all_supporting@5']):>7}{1000 * r.seconds_a_question:>7.0f}"
        )


def retrieval_json(result: RetrievalResult) -> dict[str, Any]:
    """The object `evaluate retrieval --json` writes for one file and retriever."""
    return {
        "dataset": result.dataset,
        "retriever": result.retriever,
        "questions": result.questions,
        "passages": result.passages,
        **{name: asdict(interval) for name, interval in result.figures.items()},
        "seconds_a_question": result.seconds_a_question,
        "settings": result.settings,
    }


def answers_table(results: Sequence[AnswerResult]) -> Iterator[str]:
    """Lines of a table, figures in %."""
    yield f"{'':28}{'questions':>10}{'EM':>7}{'F1':>7}{'coverage':>10}{'precision':>11}{'s':>7}"
    for r in results:
        yield (
            f"{r.dataset[:27]:28}{r.questions:>10}{100 * r.exact_match:>7.1f}{100 * r.f1:>7.1f}"
            f"{100 * r.coverage:>10.1f}{_share(r.precision):>11}{r.seconds_a_question:>7.2f}"
        )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _percent(interval: Interval) -> str:
    return f"{100 * interval.value:.1f}"


def _questions(file: Path) -> list[Question]:
    questions = list(read_questions(file))
    if not questions:
        raise BadRequest(f"{file} holds no questions.")
    return questions


@contextlib.contextmanager
def _graph_of(settings: Settings, file: Path, fixed: bool) -> Iterator[Hoptrail]:
    with contextlib.ExitStack() as stack:
        if not fixed:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="hoptrail-"))
            settings = replace(settings, graph=str(Path(folder) / "graph.db"))
        hop = stack.enter_context(Hoptrail.of(settings))
        if not fixed:
            with _progress() as progress:
                task = progress.add_task(f"{file.stem}, into a temporary graph", total=None)
                hop.ingest(file, progress=lambda r: progress.update(task, completed=r.seen))
        yield hop


def _progress() -> Progress:
    return Progress(console=Console(stderr=True), transient=True)


def _advance(progress: Progress, task: TaskID):  # noqa: ANN202 - a callback
    return lambda: progress.advance(task)
