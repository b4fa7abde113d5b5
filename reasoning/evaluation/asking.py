"""Answers measured on the path that `ask` takes: questions asked, and what came of them all."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...kg.errors import (
    BadRequest,
    EmptyGraph,
    EncoderMismatch,
    HoptrailError,
    ModelMissing,
    SchemaMismatch,
    StoreUnavailable,
    UnsupportedServer,
)
from ...kg.store import GraphStore
from ...kg.types import Answer
from ...loaders.questions import Question
from .answers import Abstention, Selective, abstention, selective
from .intervals import Interval, McNemar, bootstrap, mcnemar, paired, require_same_questions
from .outcome import Outcome, failure, outcome

RIGHT_F1 = 0.8
"""An answer is right, for the precision of what is answered, from this F1 on or when it matches."""
COMPARED = ("exact_match", "f1", "accuracy")
FIGURES = (
    *COMPARED,
    "supporting_recall",
    "all_supporting",
    "all_supporting_at_5",
    "document_error",
)
COSTS = ("calls", "tokens_in", "tokens_out", "seconds")
HOPELESS = (
    EmptyGraph,
    EncoderMismatch,
    ModelMissing,
    SchemaMismatch,
    StoreUnavailable,
    UnsupportedServer,
)
"""No other question would fare better."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better a method is than another, on the same questions.

    Args:
        figures: paired differences, by name: see `COMPARED`.
        tests: McNemar's, of the two figures that are right or wrong.
    """

    figures: Mapping[str, Interval]
    tests: Mapping[str, McNemar]


@dataclass(frozen=True)
class AnswerResult:
    """One method over one set of questions.

    Args:
        method: its name and settings as they were asked for ("trace:beams=1").
        each: every question, in the order of the file; n ≥ 1.
        manifest: what it takes to measure the same again.
    """

    dataset: str
    method: str
    each: Sequence[Outcome]
    manifest: Mapping[str, Any]

    @property
    def questions(self) -> int:
        """How many were asked."""
        return len(self.each)

    @property
    def failed(self) -> list[Outcome]:
        """Those that could not be answered; they count as wrong."""
        return [one for one in self.each if one.failed is not None]

    def values(self, figure: str) -> list[float]:
        """One figure of every question that has it."""
        found = (getattr(one, figure) for one in self.each)
        return [value for value in found if value is not None]

    @cached_property
    def figures(self) -> dict[str, Interval]:
        """The mean of each with its 95 % interval, by name; only of those that there are."""
        values = {figure: self.values(figure) for figure in FIGURES}
        return {figure: bootstrap(given) for figure, given in values.items() if given}

    @cached_property
    def costs(self) -> dict[str, float]:
        """Means a question: calls, tokens_in, tokens_out, seconds."""
        return {cost: sum(self.values(cost)) / len(self.each) for cost in COSTS}

    @property
    def tokens(self) -> float:
        """Read and written, a question."""
        return self.costs["tokens_in"] + self.costs["tokens_out"]

    @property
    def answered(self) -> Selective:
        """Share of questions answered, and of these answered rightly."""
        said = [not one.abstained and one.failed is None for one in self.each]
        right = [one.exact_match > 0 or one.f1 >= RIGHT_F1 for one in self.each]
        return selective([float(a) for a in said], right)

    @property
    def abstention(self) -> Abstention:
        """What abstaining was worth."""
        return abstention(
            [one.abstained for one in self.each], [one.answerable for one in self.each]
        )

    def against(self, other: "AnswerResult") -> Difference:
        """How much better this method is than another, paired by question.

        Raises:
            BadRequest: the other was measured on other questions, or not in the same way.
        """
        require_same_questions([one.id for one in self.each], [one.id for one in other.each])
        for what in ("data", "within"):
            if self.manifest.get(what) != other.manifest.get(what):
                raise BadRequest(
                    f"{self.method} and {other.method} can't be compared: {what} was "
                    f"{self.manifest.get(what)} and {other.manifest.get(what)}. Measure both alike."
                )
        figures = {name: paired(self.values(name), other.values(name)) for name in COMPARED}
        tests = {
            name: mcnemar(self.values(name), other.values(name))
            for name in ("exact_match", "accuracy")
        }
        return Difference(figures, tests)


def ask_all(
    questions: Sequence[Question],
    ask: Callable[[Question], Answer],
    graph: GraphStore,
    *,
    done: Mapping[str, Outcome] | None = None,
    keep: Callable[[Outcome], None] = lambda one: None,
    progress: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Ask each question that is not done, once; what came of all, in their order.

    An error of one question is its outcome; one that all would meet ends the run.

    Args:
        graph: that they are answered from.
        done: outcomes of an earlier run, by the question's id.
        keep: called with every new outcome before the next question is asked.
        progress: called after every question.

    Raises:
        EmptyGraph, EncoderMismatch, ModelMissing, SchemaMismatch, StoreUnavailable,
        UnsupportedServer: see their messages; what came before was kept.
    """
    each = []
    for question in questions:
        one = (done or {}).get(question.id)
        if one is None:
            one = _asked(question, ask, graph)
            keep(one)
        each.append(one)
        progress()
    return each


def _asked(question: Question, ask: Callable[[Question], Answer], graph: GraphStore) -> Outcome:
    started = time.perf_counter()
    try:
        answer = ask(question)
    except HOPELESS:
        raise
    except HoptrailError as error:
        return failure(question, str(error), time.perf_counter() - started)
    return outcome(question, answer, graph, time.perf_counter() - started)
