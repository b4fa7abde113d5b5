"""How many of a question's supporting paragraphs a retriever finds among its first k."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...kg.errors import BadRequest
from ...kg.store import GraphStore
from ...kg.types import Scored
from ...loaders.questions import Paragraph, Question
from ..retrieval import Retriever
from .intervals import Interval, bootstrap

CUTS = (2, 5, 10)
ALL_SUPPORTING_AT = 5
DEPTH = 30  # passages asked for; a long paragraph is several passages but one document


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """One retriever over one set of questions; every figure is a share, 0 to 1."""

    dataset: str
    retriever: str
    questions: int
    passages: int
    figures: dict[str, Interval]
    seconds_a_question: float
    settings: dict[str, Any]


def evaluate_retrieval(
    dataset: str,
    questions: Sequence[Question],
    graph: GraphStore,
    retriever: Retriever,
    *,
    own: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> RetrievalResult:
    """Recall@k and all-supporting@5 over paragraphs (documents, ranked by their best passage).

    Args:
        own: rank only a question's own paragraphs, as the papers do.
        progress: called after every question.

    Raises:
        BadRequest: no question has supporting paragraphs, or the graph lacks their paragraphs.
    """
    asked = [q for q in questions if any(p.is_supporting for p in q.paragraphs)]
    if not asked:
        raise BadRequest(
            f"{dataset}: no question names supporting paragraphs, so there is nothing to measure."
        )
    _require(dataset, asked, graph)
    rows, seconds = [], 0.0
    for question in asked:
        within = graph.passages_of(_ids(question.paragraphs)) if own else None
        started = time.perf_counter()
        found = retriever.search(question.question, DEPTH, within)
        seconds += time.perf_counter() - started
        gold = _ids(p for p in question.paragraphs if p.is_supporting)
        rows.append(_scores(_documents(graph, found), gold))
        progress()
    figures = {name: bootstrap([row[name] for row in rows]) for name in rows[0]}
    return RetrievalResult(
        dataset,
        retriever.name,
        len(asked),
        graph.statistics()["passages"],
        figures,
        seconds / len(asked),
        {"within": "own paragraphs" if own else "whole graph", "depth": DEPTH},
    )


def _scores(ranked: list[str], gold: set[str]) -> dict[str, float]:
    hits = {k: len(gold.intersection(ranked[:k])) / len(gold) for k in CUTS}
    all_found = float(gold <= set(ranked[:ALL_SUPPORTING_AT]))
    return {f"recall@{k}": hits[k] for k in CUTS} | {
        f"all_supporting@{ALL_SUPPORTING_AT}": all_found
    }


def _documents(graph: GraphStore, found: list[Scored]) -> list[str]:
    passages = graph.passages([scored.id for scored in found])
    return list(dict.fromkeys(passages[s.id].document_id for s in found))


def _ids(paragraphs: Iterable[Paragraph]) -> set[str]:
    return {paragraph.document_id for paragraph in paragraphs}


def _require(dataset: str, questions: Collection[Question], graph: GraphStore) -> None:
    wanted = set().union(*(_ids(q.paragraphs) for q in questions))
    missing = len(wanted) - len(graph.documents(wanted))
    if missing:
        raise BadRequest(
            f"{missing:,} of the {len(wanted):,} paragraphs of {dataset} are not in "
            f"{graph.where}. Ingest the file first, or leave --graph out to measure in a "
            "temporary graph."
        )
