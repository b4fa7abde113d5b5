"""Trees score as the library that grew them, and refuse what is none."""

import json

import lightgbm
import numpy as np
import pytest

from hoptrail.reasoning.retrieval.trees import Trees


@pytest.mark.parametrize("leaves", [2, 7, 40])
def test_they_score_as_lightgbm_does(leaves):
    random = np.random.default_rng(leaves)
    rows = random.normal(size=(400, 5)).round(1)  # rounded: many values lie on a threshold
    rows[::7, 2] = 0
    right = (rows[:, 0] * rows[:, 1] > rows[:, 2]).astype(int)
    settings = {"objective": "lambdarank", "num_leaves": leaves, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(settings, lightgbm.Dataset(rows, right, group=[20] * 20), 30)
    grown = Trees.of([tree["tree_structure"] for tree in booster.dump_model()["tree_info"]])
    read = Trees.from_record(json.loads(json.dumps(grown.to_record())), 5)
    unseen = np.concatenate([rows, random.normal(size=(400, 5)).round(1)])
    expected = booster.predict(unseen, raw_score=True)
    np.testing.assert_allclose(read.scores(unseen), expected, rtol=0, atol=1e-12)
    assert len(np.unique(expected)) > 2


def test_a_tree_of_one_leaf_adds_its_value():
    assert Trees.of([{"leaf_value": 0.25}, {"leaf_value": 0.5}]).scores(
        np.zeros((2, 3))
    ).tolist() == [
        0.75,
        0.75,
    ]


SOUND = {
    "feature": [0, 1],
    "threshold": [0.5, 1.5],
    "left": [-1, -2],
    "right": [1, -3],
    "roots": [0],
    "leaf": [1.0, 2.0, 3.0],
}


def test_a_value_on_the_threshold_goes_left():
    rows = np.array([[0.5, 9], [0.6, 1.5], [0.6, 1.6]])
    assert Trees.from_record(SOUND, 2).scores(rows).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        {"right": [0, -3]},  # a circle
        {"left": [-1, -4]},  # no such leaf
        {"roots": [2]},  # no such node
        {"feature": [0, 2]},  # no such column
        {"feature": [0, -1]},
        {"threshold": [0.5]},
        {"threshold": [0.5, float("nan")]},
        {"leaf": [1.0, 2.0, float("inf")]},
        {"leaf": "many"},
    ],
)
def test_what_leads_nowhere_is_refused(wrong):
    with pytest.raises(ValueError, match=r"trees|convert"):
        Trees.from_record(SOUND | wrong, 2)
