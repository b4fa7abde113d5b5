"""How many of a question's supporting paragraphs a retriever finds among its first k."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...kg.errors import BadRequest
from ...kg.store import GraphStore
from ...kg.types import Scored
from ...loaders.questions import Paragraph, Question
from ..retrieval import Retriever
from ..spec import settable
from .intervals import Interval, bootstrap, paired, require_same_questions

CUTS = (2, 5, 10)
ALL_SUPPORTING_AT = 5
ALL_SUPPORTING = f"all_supporting@{ALL_SUPPORTING_AT}"
COMPARED = ("recall@5", ALL_SUPPORTING)
DEPTH = 30  # passages asked for; a long paragraph is several passages but one document


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question: shares, 0 to 1, by figure, and how long it took."""

    id: str
    figures: Mapping[str, float]
    seconds: float


@dataclass(frozen=True)
class RetrievalResult:
    """One retriever over one set of questions.

    Args:
        retriever: its name and settings as they were asked for ("gnn:layers=2").
        graph: how many of everything the graph holds, see `GraphStore.statistics`.
        each: every question, in the order of the file.
        settings: what it takes to measure the same again; `left_out` questions name no supporting
            paragraphs.
    """

    dataset: str
    retriever: str
    graph: Mapping[str, int]
    each: Sequence[QuestionResult]
    settings: Mapping[str, Any]

    @property
    def questions(self) -> int:
        """How many were asked: those that name supporting paragraphs."""
        return len(self.each)

    @property
    def passages(self) -> int:
        """How many the graph holds."""
        return self.graph["passages"]

    def values(self, figure: str) -> list[float]:
        """One figure of every question."""
        return [one.figures[figure] for one in self.each]

    @cached_property
    def figures(self) -> dict[str, Interval]:
        """The mean of each with its 95 % interval, by name."""
        return {figure: bootstrap(self.values(figure)) for figure in self.each[0].figures}

    @property
    def seconds_a_question(self) -> float:
        """The mean."""
        return sum(one.seconds for one in self.each) / len(self.each)

    @property
    def latency(self) -> dict[str, float]:
        """Seconds a question: median and 95th percentile."""
        median, p95 = np.quantile([one.seconds for one in self.each], [0.5, 0.95])
        return {"median": float(median), "p95": float(p95)}

    def against(self, other: "RetrievalResult") -> dict[str, Interval]:
        """How much better this retriever is than another, paired by question: see `COMPARED`.

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
    graph: GraphStore,
    retriever: Retriever,
    *,
    own: bool = False,
    label: str = "",
    progress: Callable[[], None] = lambda: None,
) -> RetrievalResult:
    """Recall@k and all-supporting@5 over paragraphs (documents, ranked by their best passage).

    The first question is asked once before the clock runs, so that loading the encoder is no part
    of anyone's latency.

    Args:
        own: rank only a question's own paragraphs, as the papers do.
        label: what the result calls the retriever; default its name.
        progress: called after every question.

    Raises:
        BadRequest: no question has supporting paragraphs, or the graph lacks their paragraphs.
    """
    asked = [q for q in questions if _gold(q)]
    if not asked:
        raise BadRequest(
            f"{dataset}: no question names supporting paragraphs, so there is nothing to measure."
        )
    require_paragraphs(dataset, asked, graph)
    retriever.search(asked[0].question, DEPTH, _within(graph, asked[0], own))
    each = []
    for question in asked:
        within = _within(graph, question, own)
        started = time.perf_counter()
        found = retriever.search(question.question, DEPTH, within)
        seconds = time.perf_counter() - started
        figures = _scores(_documents(graph, found), _gold(question))
        each.append(QuestionResult(question.id, figures, seconds))
        progress()
    settings = {
        "within": "own paragraphs" if own else "whole graph",
        "left_out": len(questions) - len(asked),
        "depth": DEPTH,
        "retriever": _settings(retriever),
    }
    return RetrievalResult(dataset, label or retriever.name, graph.statistics(), each, settings)


def _scores(ranked: list[str], gold: set[str]) -> dict[str, float]:
    hits = {f"recall@{k}": len(gold.intersection(ranked[:k])) / len(gold) for k in CUTS}
    return hits | {ALL_SUPPORTING: float(gold <= set(ranked[:ALL_SUPPORTING_AT]))}


def _documents(graph: GraphStore, found: list[Scored]) -> list[str]:
    passages = graph.passages([scored.id for scored in found])
    return list(dict.fromkeys(passages[s.id].document_id for s in found))


def _within(graph: GraphStore, question: Question, own: bool) -> list[str] | None:
    return graph.passages_of(_ids(question.paragraphs)) if own else None


def _gold(question: Question) -> set[str]:
    return _ids(paragraph for paragraph in question.paragraphs if paragraph.is_supporting)


def _ids(paragraphs: Iterable[Paragraph]) -> set[str]:
    """Those without a text are no documents: see `loaders.benchmark`."""
    return {paragraph.document_id for paragraph in paragraphs if paragraph.text}


def _settings(retriever: Retriever) -> dict[str, Any]:
    return {name: getattr(retriever, name) for name in settable(type(retriever))}


def require_paragraphs(dataset: str, questions: Collection[Question], graph: GraphStore) -> None:
    """Refuse a graph that lacks paragraphs of the questions.

    Raises:
        BadRequest: it does.
    """
    wanted = set().union(*(_ids(q.paragraphs) for q in questions))
    missing = len(wanted) - len(graph.documents(wanted))
    if missing:
        raise BadRequest(
            f"{missing:,} of the {len(wanted):,} paragraphs of {dataset} are not in "
            f"{graph.where}. Ingest the file first, or leave --graph out to measure in a "
            "temporary graph."
        )
