"""Intervals of a mean over questions and of a difference over the same ones, and its test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....kg.errors import BadRequest

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % percentile bootstrap interval, in the unit of the values."""

    value: float
    low: float
    high: float


def bootstrap(values: ArrayLike, seed: int = 0) -> Interval:
    """Return the mean of (n,) values, n ≥ 1, with the interval of questions drawn anew."""
    sample, random = np.asarray(values, float), np.random.default_rng(seed)
    # One at a time: all picks of a training file's questions together would take gigabytes.
    means = [sample[random.integers(0, len(sample), len(sample))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(sample.mean()), float(low), float(high))


def bootstrap_f1(precision: ArrayLike, recall: ArrayLike, seed: int = 0) -> Interval:
    """Return the F1 of mean precision and mean recall, (n,) each; see `bootstrap`."""
    return _bootstrap_of(_f1, precision, recall, seed)


def bootstrap_ratio(parts: ArrayLike, wholes: ArrayLike, seed: int = 0) -> Interval:
    """Return the sum of parts over the sum of wholes, (n,) each; see `bootstrap`."""
    return _bootstrap_of(_ratio, parts, wholes, seed)


def _bootstrap_of(
    figure: Callable[[NDArray[np.float64]], float], a: ArrayLike, b: ArrayLike, seed: int
) -> Interval:
    both, random = np.asarray([a, b], float), np.random.default_rng(seed)
    count = both.shape[1]
    picks = (random.integers(0, count, count) for _ in range(RESAMPLES))
    low, high = np.quantile([figure(both[:, pick]) for pick in picks], [0.025, 0.975])
    return Interval(figure(both), float(low), float(high))


def _ratio(both: NDArray[np.float64]) -> float:
    part, whole = both.sum(axis=1)
    return float(part / whole) if whole else 0.0


def _f1(both: NDArray[np.float64]) -> float:
    precision, recall = both.mean(axis=1)
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


def paired(a: ArrayLike, b: ArrayLike, seed: int = 0) -> Interval:
    """Return the mean of a - b, (n,) each, of the same questions in order; see `bootstrap`.

    Questions are resampled, both values of a question together, so what makes a question hard for
    both does not widen the interval.

    Raises:
        ValueError: a and b differ in length.
    """
    first, second = np.asarray(a, float), np.asarray(b, float)
    if first.shape != second.shape:
        raise ValueError(f"{first.shape} values can't be paired with {second.shape}")
    return bootstrap(first - second, seed)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Counts of which of two methods is right where only one of them is, with the p-value.

    Args:
        better: questions that only the first got right.
        worse: those that only the other got right.
        p: probability of a split as uneven or more if neither were better (exact, two-sided).
    """

    better: int
    worse: int
    p: float


def mcnemar(a: ArrayLike, b: ArrayLike) -> McNemar:
    """Test exactly which method is right where only one is: McNemar's, a binomial test.

    Args:
        a: right (above 0) or wrong, (n,).
        b: of the same questions in order, (n,).

    Raises:
        ValueError: a and b differ in length.
    """
    from scipy.stats import binomtest

    first, second = np.asarray(a, float) > 0, np.asarray(b, float) > 0
    if first.shape != second.shape:
        raise ValueError(f"{first.shape} values can't be paired with {second.shape}")
    better, worse = int((first & ~second).sum()), int((second & ~first).sum())
    apart = better + worse
    return McNemar(better, worse, float(binomtest(better, apart).pvalue) if apart else 1.0)


def require_same_questions(a: Sequence[str], b: Sequence[str]) -> None:
    """Refuse to pair what was not measured on the same questions in the same order, given by id.

    Raises:
        BadRequest: they differ.
    """
    if list(a) != list(b):
        different = len(set(a) ^ set(b))
        what = f"{different:,} questions are in one only" if different else "their order differs"
        raise BadRequest(f"Only the same questions can be compared: {what}. Measure both again.")
