"""Growing the trees that judge the reader's candidates (Friedman 2001; needs scikit-learn)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from ..reader.judging.trees import DEPTH, Trees
from ..reader.pages import Floats

if TYPE_CHECKING:
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeRegressor

_MOST = 600  # trees; as many are taken as tell best what they have not seen
_HELD = 5  # every so many groups are held out to find that number
_RATE = 0.03  # of what a tree finds that is added
_ROWS = 0.5  # share of them drawn for each tree
_VALUES = 0.2  # share of them drawn for each question of a tree
_LEAF = 50  # rows at least, and not more than a tenth of all
_DOUBT = 1.0  # rows of either sort that are thought to have been seen, where only one was


def regression(
    seen: Sequence[Floats] | Floats, right: Sequence[bool], weight: Sequence[float], values: int
) -> tuple[Floats, float]:
    """Fit a logistic regression: slopes (values,) and intercept."""
    if len(set(right)) < 2:
        yes = sum(right)
        odds = (yes + _DOUBT) / (len(right) - yes + _DOUBT)
        return np.zeros(values, np.float32), math.log(odds)
    model = _linear().fit(seen, right, sample_weight=weight)
    return model.coef_[0].astype(np.float32), float(model.intercept_[0])


def grown(
    seen: Sequence[Floats],
    right: Sequence[bool],
    weight: Sequence[float],
    group: Sequence[int],
    values: int,
    simple: int,
) -> Trees:
    """Fit a logistic regression, and trees one after the other to what the former leave wrong.

    The regression goes by a few values only, so that few rows do not mislead it.

    Args:
        seen: rows of values.
        right: what is to be told, of each row.
        weight: of each row, above 0.
        group: rows of one are held out together.
        values: in a row.
        simple: how many of them, the last ones, the regression goes by.
    """
    rows = np.array(seen, np.float32).reshape(-1, values)
    told, weights = np.array(right, bool), np.array(weight)
    some, first = regression(rows[:, -simple:], right, weight, simple)
    slopes = np.concatenate([np.zeros(values - simple, np.float32), some])
    held = np.array(group) % _HELD == 0
    if min(len(set(told[held])), len(set(told[~held]))) < 2:
        return Trees.none(first, slopes)
    tried = _grow(_MOST, simple, rows[~held], told[~held], weights[~held])
    count = _best_number(tried, rows[held], told[held], weights[held])
    if not count:
        return Trees.none(first, slopes)
    each = [_flat(tree) for tree in _grow(count, simple, rows, told, weights).estimators_[:, 0]]
    columns, cuts, leaves = (np.array(part) for part in zip(*each, strict=True))
    added = (_RATE * leaves).astype(np.float32)
    return Trees(first, slopes, columns, cuts.astype(np.float32), added)


@dataclass
class _Start:
    """The regression on the last values, as scikit-learn wants what trees start from."""

    simple: int

    def fit(
        self, rows: Floats, told: NDArray[np.bool_], sample_weight: NDArray[np.float64]
    ) -> "_Start":
        self.model = _linear().fit(rows[:, -self.simple :], told, sample_weight=sample_weight)
        return self

    def predict(self, rows: Floats) -> NDArray[np.bool_]:
        return self.logits(rows) > 0

    def predict_proba(self, rows: Floats) -> NDArray[np.float64]:
        return self.model.predict_proba(rows[:, -self.simple :])

    def logits(self, rows: Floats) -> NDArray[np.float64]:
        return self.model.decision_function(rows[:, -self.simple :])


def _linear() -> "LogisticRegression":
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=1.0, max_iter=1000)


def _grow(
    count: int,
    simple: int,
    rows: Floats,
    told: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> "GradientBoostingClassifier":
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        init=_Start(simple),
        n_estimators=count,
        learning_rate=_RATE,
        max_depth=DEPTH,
        min_samples_leaf=max(1, min(_LEAF, len(rows) // 10)),
        subsample=_ROWS,
        max_features=_VALUES,
        random_state=0,
    )
    return model.fit(rows, told, sample_weight=weights)


def _best_number(
    model: "GradientBoostingClassifier",
    rows: Floats,
    told: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> int:
    """How many of the trees tell best: the least mean log loss; 0 where none is better."""
    start = cast("_Start", model.init_)
    logits = [start.logits(rows)[:, None], *model.staged_decision_function(rows)]
    signed = np.where(told[:, None], -1.0, 1.0) * np.hstack(logits)
    return int(np.argmin(np.average(np.logaddexp(0, signed), axis=0, weights=weights)))


def _flat(of_one: "DecisionTreeRegressor") -> tuple[list[int], list[float], list[float]]:
    """A tree as `Trees` holds it: level by level, complete."""
    tree = of_one.tree_
    level, columns, cuts = [0], [], []
    for _ in range(DEPTH):
        below = []
        for node in level:
            ends = tree.children_left[node] < 0
            columns.append(0 if ends else int(tree.feature[node]))
            cuts.append(0.0 if ends else float(tree.threshold[node]))
            below += [node, node] if ends else [tree.children_left[node], tree.children_right[node]]
        level = below
    return columns, cuts, [float(tree.value[node][0, 0]) for node in level]
