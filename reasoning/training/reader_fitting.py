"""The reader's regressions: which candidates, which of them, how sure (SciPy, scikit-learn).

Which candidate is a choice among those of one question, so the scorer is a conditional logistic
regression (McFadden 1974): softmax over a question's candidates. Fitted to each candidate for
itself it ranks worse: 2 points of EM on held-out training questions. Trees then judge the best of
them (see `judged`), each for itself: what they say is how sure the answer is. How sure a rule's
answer is, a logistic regression says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ..reader.asked.question import KINDS, Asked
from ..reader.candidates import LABELS
from ..reader.judging.confidence import CONFIDENCE, signs
from ..reader.judging.judged import JUDGED, described
from ..reader.judging.trees import Trees
from ..reader.judging.weights import Weights
from ..reader.pages import Floats
from ..reader.placed.features import FEATURES, crossing
from ..reader.rules.rulings import Ruling
from .tree_growing import grown, regression

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
        retrieved: read from retrieved paragraphs, as in use; how sure an answer is, is fitted to
            these alone.
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
    """Fit the scorer to all examples, the rest to scorers that have not seen the question.

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
        trees=Trees.none(0.0, np.zeros(len(JUDGED), np.float32)),
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
    pairs = _held_out(examples)
    slopes, intercept = _of_rules([(e, unseen) for e, unseen in pairs if e.ruling is not None])
    judged = [(e, unseen) for e, unseen in pairs if e.ruling is None and e.texts]
    return replace(
        scorer,
        calibration=slopes,
        calibration_intercept=intercept,
        trees=_judge(judged),
    ).rounded()


def _of_rules(pairs: Sequence[tuple[Example, Weights]]) -> tuple[Floats, float]:
    """Slopes and intercept of how sure a rule's answer is."""
    seen, right, weight = [], [], []
    for one, unseen in pairs:
        assert one.ruling is not None
        logits = unseen.logits(one.features, one.asked.kind, one.labels)
        seen.append(signs(one.around, one.asked, one.texts, logits, one.ruling))
        right.append(one.ruled_right)
        weight.append(one.weight)
    return regression(seen, right, weight, len(CONFIDENCE))


def _judge(pairs: Sequence[tuple[Example, Weights]]) -> Trees:
    """Fit what tells which of the best candidates are right."""
    seen: list[Floats] = []
    right: list[bool] = []
    weight: list[float] = []
    group: list[int] = []
    numbers = {q: n for n, q in enumerate(dict.fromkeys(one.question for one, _ in pairs))}
    for one, unseen in pairs:
        logits = unseen.logits(one.features, one.asked.kind, one.labels)
        short, _, rows = described(one.asked, one.texts, logits, one.features, one.around)
        seen.extend(rows)
        right.extend(one.right[short])
        weight.extend([one.weight] * len(short))
        group.extend([numbers[one.question]] * len(short))
    return grown(seen, right, weight, group, len(JUDGED), len(JUDGED) - len(FEATURES))


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
