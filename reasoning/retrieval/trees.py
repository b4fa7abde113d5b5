"""Boosted trees as numbers: evaluated here, so that ranking needs no library that can fit them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Trees:
    """The nodes of all trees in one row, (m,) each, and the leaves in another, (l,).

    A child, and a root, is the place of a node, or -1 - the place of a leaf.

    Args:
        feature: column that a node asks.
        threshold: a value up to it goes left.
        roots: (t,), where each tree begins.
        leaf: what each leaf adds to the score.
    """

    feature: Places
    threshold: Floats
    left: Places
    right: Places
    roots: Places
    leaf: Floats

    def scores(self, rows: Floats) -> Floats:
        """Sum up the trees for rows (n, number of features): (n,)."""
        at = np.tile(self.roots, (len(rows), 1))
        row = np.broadcast_to(np.arange(len(rows))[:, None], at.shape)
        while (inner := at >= 0).any():
            node = at[inner]
            left = rows[row[inner], self.feature[node]] <= self.threshold[node]
            at[inner] = np.where(left, self.left[node], self.right[node])
        return self.leaf[-1 - at].sum(axis=1)

    def to_record(self) -> dict[str, list[Any]]:
        """Return the fields as lists, for JSON."""
        return {name: getattr(self, name).tolist() for name in self.__slots__}

    @staticmethod
    def from_record(record: Mapping[str, Any], features: int) -> "Trees":
        """Read the trees that `to_record` gave, for rows of so many features.

        Raises:
            KeyError, TypeError, ValueError: it gave something else, or trees that lead nowhere.
        """
        places = ("feature", "left", "right", "roots")
        fields = {name: np.array(record[name], int) for name in places}
        values = {name: np.array(record[name], float) for name in ("threshold", "leaf")}
        trees = Trees(**fields, **values)
        trees._check(features)
        return trees

    def _check(self, features: int) -> None:
        nodes, leaves = len(self.feature), len(self.leaf)
        links = np.concatenate([self.left, self.right, self.roots])
        # Children come after their parents: no way down is a circle.
        sound = (
            {len(self.threshold), len(self.left), len(self.right)} == {nodes}
            and ((links >= -leaves) & (links < nodes)).all()
            and all(
                ((children < 0) | (children > np.arange(nodes))).all()
                for children in (self.left, self.right)
            )
            and ((self.feature >= 0) & (self.feature < features)).all()
            and np.isfinite(self.threshold).all()
            and np.isfinite(self.leaf).all()
        )
        if not sound:
            raise ValueError("not trees")

    @staticmethod
    def of(structures: Sequence[Mapping[str, Any]]) -> "Trees":
        """Take over LightGBM's trees: each `tree_structure` of `dump_model()["tree_info"]`."""
        growing = _Growing()
        growing.roots = [growing.add(structure) for structure in structures]
        return Trees(
            np.array(growing.feature, int),
            np.array(growing.threshold, float),
            np.array(growing.left, int),
            np.array(growing.right, int),
            np.array(growing.roots, int),
            np.array(growing.leaf, float),
        )


class _Growing:
    def __init__(self) -> None:
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.roots: list[int] = []
        self.leaf: list[float] = []

    def add(self, node: Mapping[str, Any]) -> int:
        """A node or leaf with all below it; where it is."""
        if "split_feature" not in node:
            self.leaf.append(node["leaf_value"])
            return -len(self.leaf)
        place = len(self.feature)
        self.feature.append(node["split_feature"])
        self.threshold.append(node["threshold"])
        self.left.append(0)
        self.right.append(0)
        self.left[place] = self.add(node["left_child"])
        self.right[place] = self.add(node["right_child"])
        return place
