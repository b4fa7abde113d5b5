"""The reader's fitted numbers, as one small JSON file with where they come from."""

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ...kg.errors import ModelMissing
from .candidates import LABELS
from .confidence import CONFIDENCE
from .features import FEATURES, crossing
from .pages import Floats
from .question import KINDS

_FORMAT = 1
_DIGITS = 4  # significant; more change no answer and double the file


@dataclass(frozen=True)
class Weights:
    """Two regressions: one chooses among candidates, one calibrates the answer's confidence.

    Args:
        coefficients: (len(FEATURES),), for the features as they are (scaling is folded in).
        crossed: (len(KINDS) × len(LABELS),), added for kind of question and label of candidate.
        intercept: of the scorer.
        calibration: (len(CONFIDENCE),).
        calibration_intercept: of the calibrator.
        provenance: files (names, sha256, counts), encoder, pipeline, version, date.
    """

    coefficients: Floats
    crossed: Floats
    intercept: float
    calibration: Floats
    calibration_intercept: float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def logits(self, features: Floats, kind: str, labels: list[str]) -> Floats:
        """How much speaks for each candidate: (n,); their softmax is the scorer's probability.

        Args:
            features: (n, len(FEATURES)), see `features.matrix`.
            kind: of the question.
            labels: of the candidates.
        """
        crossed = self.crossed[[crossing(kind, label) for label in labels]]
        return features @ self.coefficients + crossed + self.intercept

    def confidence(self, signs: Floats) -> float:
        """Probability that the answer is right, from its signs (see `confidence.signs`)."""
        logit = float(signs @ self.calibration) + self.calibration_intercept
        return 0.5 * (1 + math.tanh(0.5 * logit))  # the logistic function, without overflow

    def save(self, path: Path) -> None:
        """Write the JSON file; parent folders must exist."""
        path.write_text(json.dumps(self._record(), indent=1) + "\n", encoding="utf-8")

    def _record(self) -> dict[str, Any]:
        table = self.crossed.reshape(len(KINDS), len(LABELS))
        return {
            "format": _FORMAT,
            "provenance": dict(self.provenance),
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
        }

    @staticmethod
    def load(path: Path) -> "Weights":
        """Read a file that `save` wrote.

        Raises:
            ModelMissing: it can't be read, or was written for other features.
        """
        try:
            return _read(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelMissing(
                f"The reader's weights in {path} can't be used ({error}). Train them again: "
                "hoptrail train reader DATA…"
            ) from error

    def rounded(self) -> "Weights":
        """As they read after saving."""
        return _read(json.loads(json.dumps(self._record())))


@functools.cache
def packaged() -> Weights:
    """The weights that come with Hoptrail."""
    with resources.as_file(resources.files("hoptrail.reasoning.reader") / "reader.json") as path:
        return Weights.load(path)


def _read(record: Any) -> Weights:  # noqa: ANN401 - whatever the file holds; checked here
    if record["format"] != _FORMAT:
        raise ValueError(f"format {record['format']}, not {_FORMAT}")
    scorer, calibrator = record["scorer"], record["calibrator"]
    crossed = [
        scorer["kind and label"].get(kind, {}).get(label, 0.0) for kind in KINDS for label in LABELS
    ]
    return Weights(
        coefficients=_in_order(FEATURES, scorer["features"]),
        crossed=np.array(crossed, dtype=np.float32),
        intercept=float(scorer["intercept"]),
        calibration=_in_order(CONFIDENCE, calibrator["features"]),
        calibration_intercept=float(calibrator["intercept"]),
        provenance=record["provenance"],
    )


def _in_order(names: tuple[str, ...], values: Mapping[str, float]) -> Floats:
    if set(names) != set(values):
        raise ValueError(f"other features: {', '.join(sorted(set(names) ^ set(values)))}")
    return np.array([values[name] for name in names], dtype=np.float32)


def _named(names: tuple[str, ...], values: Floats) -> dict[str, float]:
    return {name: _round(value) for name, value in zip(names, values, strict=True)}


def _round(value: float) -> float:
    return float(f"{float(value):.{_DIGITS}g}")
