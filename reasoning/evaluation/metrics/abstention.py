"""The worth of abstaining, and what is left when only confident answers count."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Abstention:
    """Precision and recall of abstaining, 0 to 1.

    Args:
        precision: share of the abstentions that were right; None without any.
        recall: share of the unanswerable questions on which it abstained; None without any.
    """

    precision: float | None
    recall: float | None


def abstention(abstained: Sequence[bool], answerable: Sequence[bool]) -> Abstention:
    """Measure precision and recall of abstaining, which is right on what can't be answered.

    Raises:
        ValueError: the sequences differ in length.
    """
    right = sum(a and not b for a, b in zip(abstained, answerable, strict=True))
    said, meant = sum(abstained), len(answerable) - sum(answerable)
    return Abstention(right / said if said else None, right / meant if meant else None)


@dataclass(frozen=True, slots=True)
class Selective:
    """Coverage and precision when only confident answers count.

    Args:
        coverage: share of the questions that are answered, 0 to 1.
        precision: share of the answered ones that are right; None when none is answered.
    """

    coverage: float
    precision: float | None


def selective(
    confidences: Sequence[float], right: Sequence[bool], threshold: float = 0.5
) -> Selective:
    """Measure coverage and precision when questions are answered from this confidence on.

    Raises:
        ValueError: the sequences differ in length.
    """
    pairs = list(zip(confidences, right, strict=True))
    answered = [good for confidence, good in pairs if confidence >= threshold]
    if not answered:
        return Selective(0.0, None)
    return Selective(len(answered) / len(pairs), sum(answered) / len(answered))


def auroc(confidences: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return how likely a right answer has more confidence than a wrong one (Mann and Whitney).

    Ties count half; None when all are right or none is.

    Raises:
        ValueError: the sequences differ in length.
    """
    pairs = list(zip(confidences, right, strict=True))
    good = [c for c, is_right in pairs if is_right]
    bad = [c for c, is_right in pairs if not is_right]
    if not good or not bad:
        return None
    wins = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
    return wins / (len(good) * len(bad))
