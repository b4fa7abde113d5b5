"""A logistic regression that small decision trees correct (Friedman 2001), as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..pages import Floats

DEPTH = 3
"""Questions that a tree asks one after the other; where it asks fewer, the rest don't matter."""
QUESTIONS, LEAVES = 2**DEPTH - 1, 2**DEPTH
_MOST = 1e6  # of a number; fitted ones are below 1,000


@dataclass(frozen=True)
class Trees:
    """What a row of values adds up to: a logit.

    Args:
        first: what is added to.
        slopes: (values,), of the regression.
        columns: (n, QUESTIONS), the value that each question of a tree is about, level by level.
        cuts: the same shape; a value above goes right.
        leaves: (n, LEAVES), what a tree adds.
    """

    first: float
    slopes: Floats
    columns: NDArray[np.int64]
    cuts: Floats
    leaves: Floats

    @staticmethod
    def none(first: float, slopes: Floats) -> "Trees":
        """The regression alone."""
        columns, cuts = np.zeros((0, QUESTIONS), np.int64), np.zeros((0, QUESTIONS), np.float32)
        return Trees(first, slopes, columns, cuts, np.zeros((0, LEAVES), np.float32))

    def logits(self, rows: Floats) -> Floats:
        """Sum up what is said of each row: (m,).

        Args:
            rows: (m, values).
        """
        trees, of = np.arange(len(self.leaves)), np.arange(len(rows))[:, None]
        at = np.zeros((len(rows), len(self.leaves)), np.int64)
        for _ in range(DEPTH):
            right = rows[of, self.columns[trees, at]] > self.cuts[trees, at]
            at = 2 * at + 1 + right
        added = self.leaves[trees, at - QUESTIONS].sum(axis=1)
        return np.asarray(self.first + rows @ self.slopes + added, np.float32)

    def to_record(self, names: Sequence[str]) -> dict[str, Any]:
        """Return all that as JSON has it, rounded.

        Args:
            names: of the values in a row.
        """
        return {
            "intercept": _rounded([self.first], 4)[0],
            "features": dict(zip(names, _rounded(self.slopes, 4), strict=True)),
            "trees": [
                {"values": columns.tolist(), "above": _rounded(cuts, 7), "add": _rounded(leaves, 4)}
                for columns, cuts, leaves in zip(self.columns, self.cuts, self.leaves, strict=True)
            ],
        }

    @staticmethod
    def from_record(record: Mapping[str, Any], names: Sequence[str]) -> "Trees":
        """Read what `to_record` gave.

        Raises:
            KeyError, TypeError, ValueError: it gave something else, or for other values.
        """
        slopes, told = record["features"], record["trees"]
        if list(slopes) != list(names):
            differing = sorted(set(slopes) ^ set(names))
            raise ValueError(f"trees of other values: {', '.join(differing) or 'in another order'}")
        for tree in told:
            sizes = len(tree["values"]), len(tree["above"]), len(tree["add"])
            if sizes != (QUESTIONS, QUESTIONS, LEAVES):
                raise ValueError(f"a tree of another depth than {DEPTH}")
            if not all(type(value) is int and 0 <= value < len(names) for value in tree["values"]):
                raise ValueError("a tree asks for a value that there is not")
        return Trees(
            _number(record["intercept"]),
            np.array([_number(slopes[name]) for name in names], np.float32),
            np.array([tree["values"] for tree in told], np.int64).reshape(-1, QUESTIONS),
            _array([tree["above"] for tree in told]).reshape(-1, QUESTIONS),
            _array([tree["add"] for tree in told]).reshape(-1, LEAVES),
        )


def _array(rows: Sequence[Sequence[float]]) -> Floats:
    return np.array([[_number(value) for value in row] for row in rows], np.float32)


def _number(value: float) -> float:
    if not abs(float(value)) <= _MOST:  # nor is NaN
        raise ValueError(f"{value!r} is no weight")
    return float(value)


def _rounded(values: Sequence[float] | Floats, digits: int) -> list[float]:
    """With so many significant digits: more change no answer and double the file."""
    return [float(f"{float(value):.{digits}g}") for value in values]
