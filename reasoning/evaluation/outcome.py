"""What came of one question: its answer, how right it is, what its reader saw, what it cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ...kg.store import GraphStore
from ...kg.types import Answer
from ...loaders.questions import Question
from .scoring import score
from .supporting import all_supporting, document_error_rate, supporting_recall

SHOWN = 5
"""k of all_supporting@k, as for retrieval."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question, as one line of a run; shares are 0 to 1.

    Args:
        golds: the answer and its aliases; empty where there is none.
        answer: the best guess where the method abstained.
        confidence: see `Answer`.
        exact_match: by the dataset's measures, as f1 and accuracy: see `scoring.score`.
        supporting_recall: share of the supporting documents that the prompts showed; None where
            the file names none, as the next two.
        all_supporting: all of them were shown.
        all_supporting_at_5: among the first five documents shown.
        document_error: share of the documents shown that do not support the answer; None also
            when none was shown.
        shown: documents that the prompts showed.
        failed: why there is no answer; None when there is one.
    """

    id: str
    question: str
    golds: tuple[str, ...]
    answerable: bool
    answer: str = ""
    abstained: bool = False
    confidence: float | None = None
    exact_match: float = 0.0
    f1: float = 0.0
    accuracy: float = 0.0
    supporting_recall: float | None = None
    all_supporting: float | None = None
    all_supporting_at_5: float | None = None
    document_error: float | None = None
    shown: int = 0
    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    seconds: float = 0.0
    failed: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Its fields, in their order."""
        return asdict(self)

    @staticmethod
    def of_json(data: Mapping[str, Any]) -> "Outcome":
        """What `as_json` gave.

        Raises:
            ValueError: a field is missing, or there are others.
        """
        if set(data) != {field.name for field in fields(Outcome)}:
            raise ValueError("it has not the fields of an outcome")
        return Outcome(**{**data, "golds": tuple(data["golds"])})


def outcome(question: Question, answer: Answer, graph: GraphStore, seconds: float) -> Outcome:
    """Judge an answer.

    The best guess counts where the method abstained from a question that has an answer, so that
    EM and F1 compare with those of methods that never abstain.

    Args:
        graph: that it was answered from.
        seconds: that it took.
    """
    guess = answer.text or (answer.candidates[0][0] if answer.candidates else "")
    gave_up = answer.abstained and not (guess and question.answerable)
    found = score(question, guess, gave_up)
    gold, shown = _documents(question, answer, graph)
    usage = answer.usage
    return Outcome(
        question.id,
        question.question,
        _golds(question),
        question.answerable,
        guess,
        answer.abstained,
        answer.confidence,
        found.exact_match,
        found.f1,
        found.accuracy,
        supporting_recall(shown, gold) if gold else None,
        all_supporting(shown, gold) if gold else None,
        all_supporting(shown, gold, SHOWN) if gold else None,
        document_error_rate(shown, gold) if gold else None,
        len(shown),
        usage.get("calls", 0),
        usage.get("tokens_in", 0),
        usage.get("tokens_out", 0),
        round(seconds, 6),
    )


def failure(question: Question, reason: str, seconds: float) -> Outcome:
    """A question that could not be answered counts as wrong, and nothing as shown."""
    none = 0.0 if question.supporting_titles else None
    return Outcome(
        question.id,
        question.question,
        _golds(question),
        question.answerable,
        supporting_recall=none,
        all_supporting=none,
        all_supporting_at_5=none,
        seconds=round(seconds, 6),
        failed=reason,
    )


def _golds(question: Question) -> tuple[str, ...]:
    told = (question.answer, *question.aliases, *question.spans)
    return tuple(dict.fromkeys(filter(None, told))) if question.answerable else ()


def _documents(question: Question, answer: Answer, graph: GraphStore) -> tuple[set[str], list[str]]:
    """Supporting documents and those shown, in order: by id, or by title in any case.

    By title where the graph lacks a supporting paragraph or the file only gives its title: another
    edition of the same article supports the answer too.
    """
    passages = graph.passages(answer.shown).values()
    supporting = [p for p in question.paragraphs if p.is_supporting and p.text]
    ids = {paragraph.document_id for paragraph in supporting}
    titles = set(question.supporting_titles)
    if titles == {p.title for p in supporting} and len(graph.documents(ids)) == len(ids):
        return ids, list(dict.fromkeys(passage.document_id for passage in passages))
    shown = dict.fromkeys(passage.title.casefold() for passage in passages)
    return {title.casefold() for title in titles}, list(shown)
