"""Bootstrap intervals of a mean over questions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % percentile bootstrap interval, in the unit of the values."""

    value: float
    low: float
    high: float


def bootstrap(values: ArrayLike, seed: int = 0) -> Interval:
    """Resample questions with replacement; (n,) values, n ≥ 1."""
    sample = np.asarray(values, float)
    picks = np.random.default_rng(seed).integers(0, len(sample), (RESAMPLES, len(sample)))
    means = sample[picks].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(sample.mean()), float(low), float(high))
