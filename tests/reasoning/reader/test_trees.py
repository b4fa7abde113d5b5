"""What judges candidates, in its file: the same after reading it, refused where it is damaged."""

import json
from typing import Any

import numpy as np
import pytest

from hoptrail.reasoning.reader.judging.trees import LEAVES, QUESTIONS, Trees
from hoptrail.reasoning.training.tree_growing import grown

NAMES = ("near", "far", "score")
ROWS, GROUP = 400, 4
Record = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(5).standard_normal((ROWS, len(NAMES))).astype(np.float32)


@pytest.fixture(scope="module")
def trees(rows: np.ndarray[Any, np.dtype[np.float32]]) -> Trees:
    """Right is what is near and far at once, of which the score says nothing."""
    right = [bool(one > 0 and other > 0) for one, other, _ in rows]
    groups = [number // GROUP for number in range(ROWS)]
    return grown(list(rows), right, [1.0] * ROWS, groups, len(NAMES), simple=1)


def test_two_values_that_only_together_tell_are_told(
    trees: Trees, rows: np.ndarray[Any, np.dtype[np.float32]]
) -> None:
    right = (rows[:, 0] > 0) & (rows[:, 1] > 0)
    assert ((trees.logits(rows) > 0) == right).mean() > 0.95


def test_what_is_read_is_what_was_written(
    trees: Trees, rows: np.ndarray[Any, np.dtype[np.float32]]
) -> None:
    written = json.dumps(trees.to_record(NAMES))
    read = Trees.from_record(json.loads(written), NAMES)
    assert json.dumps(read.to_record(NAMES)) == written
    np.testing.assert_allclose(read.logits(rows), trees.logits(rows), atol=0.01)


def test_a_tree_that_ends_early_says_what_its_end_does() -> None:
    slopes = np.zeros(len(NAMES), np.float32)
    columns = np.zeros((1, QUESTIONS), np.int64)
    cuts = np.zeros((1, QUESTIONS), np.float32)
    leaves = np.repeat([[-1.0, 2.0]], LEAVES // 2, axis=1).astype(np.float32)
    said = Trees(0.5, slopes, columns, cuts, leaves).logits(np.array([[-3, 0, 0], [3, 0, 0]], "f"))
    np.testing.assert_array_equal(said, [-0.5, 2.5])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda record: record["features"].pop("far"), "other values: far"),
        (lambda record: record["trees"][0]["values"].pop(), "another depth"),
        (lambda record: record["trees"][0]["values"].__setitem__(0, 9), "there is not"),
        (lambda record: record["trees"][0]["values"].__setitem__(0, 1.5), "there is not"),
        (lambda record: record["trees"][0]["add"].__setitem__(0, 1e38), "no weight"),
        (lambda record: record["trees"][0]["above"].__setitem__(0, float("nan")), "no weight"),
    ],
)
def test_a_damaged_one_is_refused(trees: Trees, damage: Any, message: str) -> None:
    record = trees.to_record(NAMES)
    damage(record)
    with pytest.raises(ValueError, match=message):
        Trees.from_record(record, NAMES)
