"""Every question of a file asked, by one method, on the path that `ask` takes."""

import time
from collections.abc import Callable, Mapping, Sequence

from ....kg.answers import Answer
from ....kg.errors import (
    EmptyGraph,
    EncoderMismatch,
    HoptrailError,
    ModelMissing,
    ModelUnavailable,
    SchemaMismatch,
    StoreUnavailable,
    UnsupportedServer,
)
from ....kg.store import Graph
from ....loaders.questions.files import Paragraph, Question
from ....models.concurrency import as_they_come
from ..metrics.citing import divided
from .outcome import Outcome, failure, outcome

HOPELESS = (
    EmptyGraph,
    EncoderMismatch,
    ModelMissing,
    SchemaMismatch,
    StoreUnavailable,
    UnsupportedServer,
)
"""No other question would fare better."""
MAX_SILENT = 5
"""Questions in a row for which the model's server gave no answer, each tried several times."""


def ask_all(
    questions: Sequence[Question],
    ask: Callable[[Question], Answer],
    graph: Graph,
    *,
    at_once: int = 1,
    done: Mapping[str, Outcome] | None = None,
    keep: Callable[[Outcome], None] = lambda one: None,
    progress: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Ask each question that is not done, once, and return what came of all, in their order.

    An error of one question is its outcome; one that all would meet ends the run, and so does a
    model's server that has gone silent: see `MAX_SILENT`.

    Args:
        ask: called by as many threads as `at_once` says.
        graph: that they are answered from.
        at_once: questions under way at the same time; with one, none is asked before the outcome of
            the one before was kept.
        done: outcomes of an earlier run, by the question's id.
        keep: called with every new outcome as soon as it is there, by the caller's thread.
        progress: called after every question.

    Raises:
        EmptyGraph, EncoderMismatch, ModelMissing, SchemaMismatch, StoreUnavailable,
        UnsupportedServer: see their messages; what came before was kept.
        ModelUnavailable: for so many questions in a row, which were kept as failed.
    """
    came = {q.id: done[q.id] for q in questions if q.id in done} if done else {}
    for _ in came:
        progress()
    left = [question for question in questions if question.id not in came]
    known, silent = divided(questions), 0

    def asked(question: Question) -> tuple[Outcome, HoptrailError | None]:
        return _asked(question, ask, graph, known)

    for one, error in as_they_come(asked, left, at_once):
        keep(one)
        came[one.id] = one
        progress()
        silent = silent + 1 if isinstance(error, ModelUnavailable) else 0
        if error and silent == MAX_SILENT:
            raise error
    return [came[question.id] for question in questions]


def _asked(
    question: Question,
    ask: Callable[[Question], Answer],
    graph: Graph,
    known: Mapping[str, Paragraph],
) -> tuple[Outcome, HoptrailError | None]:
    started = time.perf_counter()
    try:
        answer = ask(question)
    except HOPELESS:
        raise
    except HoptrailError as error:
        return failure(question, str(error), graph, time.perf_counter() - started), error
    return outcome(question, answer, graph, time.perf_counter() - started, known), None
