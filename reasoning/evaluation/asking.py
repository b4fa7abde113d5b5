"""Answers measured on the path that `ask` takes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...kg.types import Answer
from ...loaders.questions import Question
from .answers import exact_match, f1, selective

RIGHT_F1 = 0.8
"""An answer is right, for coverage and precision, from this F1 on or when it matches exactly."""


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """Shares, 0 to 1, over one set of questions.

    Args:
        exact_match: of the best guess, also where the method abstained; an unanswerable question
            counts as 0.
        f1: likewise.
        coverage: share of questions answered instead of abstained.
        precision: share of the answered ones that are right; None when none is.
    """

    dataset: str
    questions: int
    exact_match: float
    f1: float
    coverage: float
    precision: float | None
    seconds_a_question: float


def evaluate_answers(
    dataset: str,
    questions: Sequence[Question],
    ask: Callable[[Question], Answer],
    progress: Callable[[], None] = lambda: None,
) -> AnswerResult:
    """Ask every question, once; n ≥ 1 questions."""
    rows, seconds = [], 0.0
    for question in questions:
        started = time.perf_counter()
        answer = ask(question)
        seconds += time.perf_counter() - started
        guess = answer.text or (answer.candidates[0][0] if answer.candidates else "")
        golds = [question.answer, *question.aliases] if question.answerable else []
        match, overlap = exact_match(guess, golds), f1(guess, golds)
        rows.append((match, overlap, not answer.abstained, match > 0 or overlap >= RIGHT_F1))
        progress()
    matches, overlaps, answered, right = zip(*rows, strict=True)
    chosen = selective([float(a) for a in answered], right)
    count = len(rows)
    return AnswerResult(
        dataset,
        count,
        sum(matches) / count,
        sum(overlaps) / count,
        chosen.coverage,
        chosen.precision,
        seconds / count,
    )
