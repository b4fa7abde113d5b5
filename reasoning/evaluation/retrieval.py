"""Recall of a retriever: a question's supporting paragraphs among its first k."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.types import Passage, Scored
from ...loaders.questions.files import Question
from ..registry import settings_of
from ..retrieval import Retriever
from .metrics.gold import Gold, Holdings
from .metrics.intervals import Interval, bootstrap, paired, require_same_questions

CUTS = (2, 5, 10)
ALL_SUPPORTING_AT = 5
ALL_SUPPORTING = f"all_supporting@{ALL_SUPPORTING_AT}"
COMPARED = ("recall@5", ALL_SUPPORTING)
DEPTH = 30  # passages asked for; a long paragraph is several passages but one document


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The figures of one question: shares, 0 to 1, and how long it took."""

    id: str
    figures: Mapping[str, float]
    seconds: float


@dataclass(frozen=True)
class RetrievalResult:
    """The figures of one retriever over one set of questions.

    Args:
        retriever: its name and settings as they were asked for ("gnn:layers=2").
        graph: how many of everything the graph holds, see `Graph.statistics`.
        each: every question, in the order of the file.
        settings: what it takes to measure the same again; `left_out` questions name no supporting
            paragraphs, `absent` supporting articles are not in the graph.
    """

    dataset: str
    retriever: str
    graph: Mapping[str, int]
    each: Sequence[QuestionResult]
    settings: Mapping[str, Any]

    @property
    def questions(self) -> int:
        """How many questions were asked: those that name supporting paragraphs."""
        return len(self.each)

    @property
    def passages(self) -> int:
        """How many passages the graph holds."""
        return self.graph["passages"]

    def values(self, figure: str) -> list[float]:
        """Return one figure of every question."""
        return [one.figures[figure] for one in self.each]

    @cached_property
    def figures(self) -> dict[str, Interval]:
        """The mean of each figure with its 95 % interval, by name."""
        return {figure: bootstrap(self.values(figure)) for figure in self.each[0].figures}

    @property
    def seconds_a_question(self) -> float:
        """The mean seconds a question."""
        return sum(one.seconds for one in self.each) / len(self.each)

    @property
    def latency(self) -> dict[str, float]:
        """Seconds a question: median and 95th percentile."""
        median, p95 = np.quantile([one.seconds for one in self.each], [0.5, 0.95])
        return {"median": float(median), "p95": float(p95)}

    def against(self, other: "RetrievalResult") -> dict[str, Interval]:
        """Compare with another retriever, paired by question: see `COMPARED`.

        Raises:
            BadRequest: the other was measured on other questions, or other paragraphs of theirs.
        """
        require_same_questions([one.id for one in self.each], [one.id for one in other.each])
        if self.dataset != other.dataset or self.settings["within"] != other.settings["within"]:
            raise BadRequest(
                f"{self.dataset} ({self.settings['within']}) can't be compared with "
                f"{other.dataset} ({other.settings['within']}). Measure both the same way."
            )
        return {name: paired(self.values(name), other.values(name)) for name in COMPARED}


def evaluate_retrieval(
    dataset: str,
    questions: Sequence[Question],
    graph: Graph,
    retriever: Retriever,
    *,
    own: bool = False,
    label: str = "",
    progress: Callable[[], None] = lambda: None,
) -> RetrievalResult:
    """Measure recall@k and all-supporting@5 over documents, each by its best passage.

    The first question is asked once before the clock runs, so that loading the encoder is no part
    of anyone's latency. Of a claim with several sets of evidence the one that fares best counts.

    Args:
        own: rank only a question's own documents, as the papers do.
        label: what the result calls the retriever; default its name.
        progress: called after every question that names what supports it.

    Raises:
        BadRequest: no question has supporting paragraphs, or the graph lacks their paragraphs, or
            all articles that support them.
    """
    golds = [(q, gold) for q in questions if (gold := Gold.of(q, graph)).sets]
    held, asked = Holdings(graph), [question for question, _ in golds]
    require_supporting(dataset, asked)
    if own or all(map(_carried, asked)):
        held.require_paragraphs(dataset, asked)
    held.require_linked(dataset, asked)
    absent = _absent(dataset, [gold for _, gold in golds], held)
    retriever.search(asked[0].question, DEPTH, _within(held, asked[0], own))
    each = []
    for question, gold in golds:
        within = _within(held, question, own)
        started = time.perf_counter()
        found = retriever.search(question.question, DEPTH, within)
        seconds = time.perf_counter() - started
        figures = _scores(_passages(graph, found), gold)
        each.append(QuestionResult(question.id, figures, seconds))
        progress()
    settings = {
        "within": "own paragraphs" if own else "whole graph",
        "left_out": len(questions) - len(asked),
        "absent": absent,
        "depth": DEPTH,
        "retriever": settings_of(retriever),
    }
    return RetrievalResult(dataset, label or retriever.name, graph.statistics(), each, settings)


def require_supporting(dataset: str, questions: Sequence[Question]) -> None:
    """Refuse questions of which none can be measured.

    Raises:
        BadRequest: none names supporting paragraphs.
    """
    if not any(question.supporting_titles for question in questions):
        raise BadRequest(
            f"{dataset}: no question names supporting paragraphs, so there is nothing to measure."
        )


def _scores(found: list[Passage], gold: Gold) -> dict[str, float]:
    ranked = gold.among(found)
    hits = {f"recall@{k}": gold.recall(ranked, k) or 0.0 for k in CUTS}
    return hits | {ALL_SUPPORTING: gold.all_found(ranked, ALL_SUPPORTING_AT) or 0.0}


def _passages(graph: Graph, found: list[Scored]) -> list[Passage]:
    return list(graph.passages([scored.id for scored in found]).values())


def _within(held: Holdings, question: Question, own: bool) -> list[str] | None:
    return held.graph.passages_of(held.own(question)) if own else None


def _carried(question: Question) -> bool:
    """Whether all that supports it is among its paragraphs."""
    given = {paragraph.title for paragraph in question.paragraphs}
    return given.issuperset(question.supporting_titles)


def _absent(dataset: str, golds: Collection[Gold], held: Holdings) -> int:
    """How many supporting articles the graph lacks, of those that are known by title.

    Raises:
        BadRequest: all of them, and no other document supports any question.
    """
    wanted = set().union(*(gold.every for gold in golds if gold.by_title))
    absent = sum(not held.of_title(title) for title in wanted)
    if absent == len(wanted) > 0 and all(gold.by_title for gold in golds):
        raise BadRequest(
            f"None of the {absent:,} articles that support {dataset} is in the graph. Name what "
            "holds them: --corpus PATH, or --graph WHERE."
        )
    return absent
