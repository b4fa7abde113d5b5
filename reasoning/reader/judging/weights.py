"""The reader's fitted numbers, as one small JSON file with where they come from."""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ....kg.errors import ModelMissing
from ...fitted import FittedFormat
from ..asked.question import KINDS
from ..candidates import LABELS
from ..pages import Floats
from ..placed.features import FEATURES, crossing
from .confidence import CONFIDENCE
from .judged import JUDGED
from .trees import Trees

_STATED = 2.0
"""Added for a candidate that one sentence states in full: people ask for what one sentence says
more often than the questions of several steps do that weights are fitted to."""
_HELD = 2.0
"""Added for a candidate whose chain holds the question's names, where one sentence says nearly all
that the question does: there, what is said of another thing is no answer, however it is put."""
_SAID = 0.9  # of the question's words: what "nearly all" is
_MOST = 1e6  # of a weight; fitted ones are below 100
_DIGITS = 4  # significant; more change no answer and double the file


@dataclass(frozen=True)
class Weights:
    """What scores candidates, what judges the best of them, and how sure a rule's answer is.

    Args:
        coefficients: (len(FEATURES),), for the features as they are (scaling is folded in).
        crossed: (len(KINDS) × len(LABELS),), added for kind of question and label of candidate.
        intercept: of the scorer.
        calibration: (len(CONFIDENCE),).
        calibration_intercept: of the calibrator, which tells how sure a rule's answer is.
        trees: of values in the order of JUDGED.
    """

    coefficients: Floats
    crossed: Floats
    intercept: float
    calibration: Floats
    calibration_intercept: float
    trees: Trees

    def logits(self, features: Floats, kind: str, labels: list[str]) -> Floats:
        """Score each candidate: (n,); the softmax is the scorer's probability.

        Args:
            features: (n, len(FEATURES)), see `features.matrix`.
            kind: of the question.
            labels: of the candidates.
        """
        crossed = self.crossed[[crossing(kind, label) for label in labels]]
        stated = _STATED * features[:, FEATURES.index("stated")]
        if len(features) and features[:, FEATURES.index("met")].max() >= _SAID:
            stated = stated + _HELD * features[:, FEATURES.index("names_in_chain")]
        logits = features @ self.coefficients + crossed + self.intercept + stated
        return np.asarray(logits, dtype=np.float32)

    def confidence(self, signs: Floats) -> float:
        """Return the probability that a rule's answer is right (see `confidence.signs`)."""
        logit = float(signs @ self.calibration) + self.calibration_intercept
        return 0.5 * (1 + math.tanh(0.5 * logit))  # the logistic function, without overflow

    def to_record(self) -> dict[str, Any]:
        """Return the fields as JSON has them, rounded."""
        table = self.crossed.reshape(len(KINDS), len(LABELS))
        return {
            "scorer": {
                "intercept": _round(self.intercept),
                "features": _named(FEATURES, self.coefficients),
                "kind and label": {
                    kind: {label: value for label, value in _named(LABELS, row).items() if value}
                    for kind, row in zip(KINDS, table, strict=True)
                },
            },
            "calibrator": {
                "intercept": _round(self.calibration_intercept),
                "features": _named(CONFIDENCE, self.calibration),
            },
            "judge": self.trees.to_record(JUDGED),
        }

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> "Weights":
        """Read the weights that `to_record` gave.

        Raises:
            KeyError, TypeError, ValueError: it gave something else, or for other features.
        """
        if "judge" not in record and "scorer" in record:
            raise ValueError("they were fitted by an older version; fit them again")
        scorer, calibrator = record["scorer"], record["calibrator"]
        by_kind = scorer["kind and label"]
        crossed = [by_kind.get(kind, {}).get(label, 0.0) for kind in KINDS for label in LABELS]
        return Weights(
            coefficients=_in_order(FEATURES, scorer["features"]),
            crossed=_array(crossed),
            intercept=_number(scorer["intercept"]),
            calibration=_in_order(CONFIDENCE, calibrator["features"]),
            calibration_intercept=_number(calibrator["intercept"]),
            trees=Trees.from_record(record["judge"], JUDGED),
        )

    @staticmethod
    def load(path: Path) -> "Weights":
        """Read the weights of a file that `hoptrail train reader` wrote.

        Raises:
            ModelMissing: it can't be read, or was written for other features.
        """
        return READER.load(path).parameters

    def rounded(self) -> "Weights":
        """Return the weights as they read after saving."""
        return Weights.from_record(self.to_record())


READER = FittedFormat(
    "reader",
    "weights of the reader",
    ("provenance", "scorer", "calibrator", "judge"),
    Weights.to_record,
    Weights.from_record,
    compact=True,
    error=ModelMissing,
)
PACKAGED = resources.files("hoptrail.reasoning.reader") / "reader.json"


@functools.cache
def packaged() -> Weights:
    """Return the weights that come with Hoptrail."""
    with resources.as_file(PACKAGED) as path:
        return Weights.load(path)


def _in_order(names: tuple[str, ...], values: Mapping[str, float]) -> Floats:
    if set(names) != set(values):
        raise ValueError(f"other features: {', '.join(sorted(set(names) ^ set(values)))}")
    return _array([values[name] for name in names])


def _array(values: Sequence[float]) -> Floats:
    return np.array([_number(value) for value in values], dtype=np.float32)


def _number(value: float) -> float:
    if not abs(float(value)) <= _MOST:  # nor is NaN
        raise ValueError(f"{value!r} is no weight")
    return float(value)


def _named(names: tuple[str, ...], values: Floats) -> dict[str, float]:
    return {name: _round(value) for name, value in zip(names, values, strict=True)}


def _round(value: float) -> float:
    return float(f"{float(value):.{_DIGITS}g}")
