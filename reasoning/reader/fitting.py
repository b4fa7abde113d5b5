"""The reader's two regressions: which candidate, and how sure (needs scikit-learn)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from .candidates import LABELS
from .confidence import signs
from .features import FEATURES, crossing
from .pages import Floats
from .question import KINDS
from .rulings import Ruling
from .weights import Weights

STRENGTH = 0.05  # C of the scorer, on standardised features
FOLDS = 5
FEWEST = 5  # questions with a right candidate
_CROSSED = len(KINDS) * len(LABELS)


@dataclass(frozen=True, slots=True)
class Example:
    """A question as the reader saw it, with what was right.

    Args:
        texts: of the candidates; labels and rows of features are in the same order.
        features: (n, len(FEATURES)).
        right: (n,), which candidates are.
        verdict: the answer is yes or no, which no candidate is.
        retrieved: read from retrieved paragraphs, as in use; confidence is fitted to these alone.
        weight: of the question.
    """

    question: str
    kind: str
    texts: list[str]
    labels: list[str]
    features: Floats
    right: NDArray[np.bool_]
    ruling: Ruling | None
    ruled_right: bool
    verdict: bool
    retrieved: bool
    weight: float


def fit(examples: Sequence[Example], provenance: Mapping[str, Any]) -> Weights:
    """Scorer on all examples; calibrator on confidences of scorers that have not seen the question.

    Raises:
        BadRequest: fewer than FEWEST questions have a right candidate.
    """
    usable = {e.question for e in examples if not e.verdict and e.right.any()}
    if len(usable) < FEWEST:
        raise BadRequest(
            f"Only {len(usable)} questions have an answer that their paragraphs contain; "
            f"the reader needs at least {FEWEST} to learn from."
        )
    scorer = _fit_scorer(examples)
    return _calibrated(scorer, examples, provenance)


def _fit_scorer(examples: Sequence[Example]) -> Weights:
    from sklearn.linear_model import LogisticRegression

    usable = [e for e in examples if not e.verdict and len(e.right)]
    x = np.concatenate([_columns(e) for e in usable])
    y = np.concatenate([e.right for e in usable])
    weight = np.concatenate([np.full(len(e.right), 100 * e.weight / len(e.right)) for e in usable])
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1.0
    x -= mean
    x /= scale
    model = LogisticRegression(C=STRENGTH, max_iter=500).fit(x, y, sample_weight=weight)
    slopes = (model.coef_[0] / scale).astype(np.float32)
    return Weights(
        coefficients=slopes[: len(FEATURES)],
        crossed=slopes[len(FEATURES) :],
        intercept=float(model.intercept_[0] - slopes @ mean),
        calibration=np.zeros(0, np.float32),
        calibration_intercept=0.0,
    )


def _columns(example: Example) -> Floats:
    """Features and indicators: (n, len(FEATURES) + len(KINDS) × len(LABELS))."""
    indicators = np.zeros((len(example.labels), _CROSSED), dtype=np.float32)
    for row, label in enumerate(example.labels):
        indicators[row, crossing(example.kind, label)] = 1.0
    return np.concatenate([example.features, indicators], axis=1)


def _calibrated(
    scorer: Weights, examples: Sequence[Example], provenance: Mapping[str, Any]
) -> Weights:
    from sklearn.linear_model import LogisticRegression

    fold_of = {q: n % FOLDS for n, q in enumerate(sorted({e.question for e in examples}))}
    rows, right, weight = [], [], []
    for fold in range(FOLDS):
        held = [e for e in examples if e.retrieved and fold_of[e.question] == fold]
        seen = [e for e in examples if fold_of[e.question] != fold]
        if not held or not any(e.right.any() and not e.verdict for e in seen):
            continue
        unseen = _fit_scorer(seen)
        for example in held:
            scores = unseen.score(example.features, example.kind, example.labels)
            best = example.texts[int(np.argmax(scores))] if example.texts else ""
            rows.append(signs(example.kind, scores, best, example.ruling))
            right.append(_right(example, scores))
            weight.append(example.weight)
    slopes, intercept = np.zeros(rows[0].shape, np.float32), 0.0
    if len(set(right)) == 2:
        model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, right, sample_weight=weight)
        slopes, intercept = model.coef_[0].astype(np.float32), float(model.intercept_[0])
    return Weights(
        scorer.coefficients, scorer.crossed, scorer.intercept, slopes, intercept, provenance
    ).rounded()


def _right(example: Example, scores: Floats) -> bool:
    if example.ruling is not None:
        return example.ruled_right
    return len(scores) > 0 and bool(example.right[int(np.argmax(scores))])
