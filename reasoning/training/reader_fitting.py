"""The reader's two regressions: which candidate, and how sure (needs SciPy and scikit-learn).

Which candidate is a choice among those of one question, so the scorer is a conditional logistic
regression (McFadden 1974): softmax over a question's candidates. Fitted to each candidate for
itself it ranks worse: 2 points of EM on held-out training questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ..reader.candidates import LABELS
from ..reader.confidence import chosen, signs
from ..reader.features import FEATURES, crossing
from ..reader.pages import Floats
from ..reader.question import KINDS, Asked
from ..reader.rules.rulings import Ruling
from ..reader.weights import Weights

PENALTY = 10.0  # on the squares of the scorer's slopes, on standardised features
FOLDS = 5
MIN_QUESTIONS = 5  # questions with a right candidate
_CROSSED = len(KINDS) * len(LABELS)
_MAX_ITERATIONS = 200  # of L-BFGS


@dataclass(frozen=True, slots=True)
class Example:
    """A question as the reader saw it, with what was right.

    Args:
        texts: of the candidates; labels and rows of features are in the same order.
        features: (n, len(FEATURES)).
        around: see `confidence.circumstances`.
        right: (n,), which candidates are.
        verdict: the answer is yes or no, which no candidate is.
        retrieved: read from retrieved paragraphs, as in use; confidence is fitted to these alone.
        weight: of the question.
    """

    question: str
    asked: Asked
    texts: list[str]
    labels: list[str]
    features: Floats
    around: Floats
    right: NDArray[np.bool_]
    ruling: Ruling | None
    ruled_right: bool
    verdict: bool
    retrieved: bool
    weight: float

    @property
    def teaches(self) -> bool:
        """Whether there is a right candidate to prefer to the others."""
        return not self.verdict and bool(self.right.any())


def fit(examples: Sequence[Example]) -> Weights:
    """Fit the scorer to all examples, the calibrator to scorers that have not seen the question.

    Raises:
        BadRequest: fewer than MIN_QUESTIONS questions have a right candidate.
    """
    usable = {e.question for e in examples if e.teaches}
    if len(usable) < MIN_QUESTIONS:
        raise BadRequest(
            f"Only {len(usable)} questions have an answer that their paragraphs contain; "
            f"the reader needs at least {MIN_QUESTIONS} to learn from."
        )
    return _calibrated(_fit_scorer(examples), examples)


def _fit_scorer(examples: Sequence[Example]) -> Weights:
    from scipy.optimize import minimize

    usable = [e for e in examples if e.teaches]
    x = np.concatenate([_columns(e) for e in usable])
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1.0
    x -= mean
    x /= scale
    loss = _Loss(x, usable)
    found = minimize(
        loss,
        np.zeros(x.shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _MAX_ITERATIONS},
    )
    slopes = (found.x / scale).astype(np.float32)
    return Weights(
        coefficients=slopes[: len(FEATURES)],
        crossed=slopes[len(FEATURES) :],
        intercept=float(-(slopes @ mean)),
        calibration=np.zeros(0, np.float32),
        calibration_intercept=0.0,
    )


class _Loss:
    """Penalised negative log-likelihood that a right candidate is chosen, and its gradient."""

    def __init__(self, x: Floats, examples: Sequence[Example]) -> None:
        sizes = [len(e.right) for e in examples]
        weights = np.array([e.weight for e in examples])
        self.x = x
        self.right = np.concatenate([e.right for e in examples])
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.owner = np.repeat(np.arange(len(examples)), sizes)
        self.weights = weights / weights.mean()

    def __call__(self, slopes: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = (self.x @ slopes.astype(np.float32)).astype(np.float64)
        total, shares = self._softmax(logits)
        right, right_shares = self._softmax(np.where(self.right, logits, -np.inf))
        excess = shares - right_shares
        gradient = self.x.T @ (excess * self.weights[self.owner]).astype(np.float32)
        loss = float(self.weights @ (total - right))
        return loss + PENALTY / 2 * float(slopes @ slopes), gradient + PENALTY * slopes

    def _softmax(self, logits: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Per question the log of the sum, per candidate the share; not by ratios, which vanish."""
        most = np.maximum.reduceat(logits, self.starts)
        raised = np.exp(logits - most[self.owner])
        total = np.add.reduceat(raised, self.starts)
        return most + np.log(total), raised / total[self.owner]


def _columns(example: Example) -> Floats:
    """Features and indicators: (n, len(FEATURES) + len(KINDS) × len(LABELS))."""
    indicators = np.zeros((len(example.labels), _CROSSED), dtype=np.float32)
    for row, label in enumerate(example.labels):
        indicators[row, crossing(example.asked.kind, label)] = 1.0
    return np.concatenate([example.features, indicators], axis=1)


def _calibrated(scorer: Weights, examples: Sequence[Example]) -> Weights:
    from sklearn.linear_model import LogisticRegression

    pairs = _held_out(examples)
    rows, right = zip(*(_judged(example, unseen) for example, unseen in pairs), strict=True)
    weight = [example.weight for example, _ in pairs]
    slopes, intercept = np.zeros_like(rows[0]), 0.0
    if len(set(right)) == 2:
        model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, right, sample_weight=weight)
        slopes, intercept = model.coef_[0].astype(np.float32), float(model.intercept_[0])
    return Weights(
        scorer.coefficients, scorer.crossed, scorer.intercept, slopes, intercept
    ).rounded()


def _judged(example: Example, unseen: Weights) -> tuple[Floats, bool]:
    """The signs of the answer that is given by these weights, and whether it is right."""
    logits = unseen.logits(example.features, example.asked.kind, example.labels)
    of_it = example.around, example.asked, example.texts, logits, example.features, example.ruling
    right = example.ruled_right
    if example.ruling is None and example.texts:
        best, _ = chosen(example.asked, example.texts, logits, example.features)
        right = bool(example.right[best])
    return signs(*of_it), right


def _held_out(examples: Sequence[Example]) -> list[tuple[Example, Weights]]:
    """Each retrieved example with a scorer fitted without its question."""
    questions = sorted({e.question for e in examples})
    fold_of = {question: n % FOLDS for n, question in enumerate(questions)}
    pairs = []
    for fold in range(FOLDS):
        seen = [e for e in examples if fold_of[e.question] != fold]
        held = [e for e in examples if e.retrieved and fold_of[e.question] == fold]
        if held and any(e.teaches for e in seen):
            unseen = _fit_scorer(seen)
            pairs += [(example, unseen) for example in held]
    return pairs
