"""Vectors of texts that are wanted again."""

import numpy as np

from hoptrail.models.kept_vectors import KeptVectors


def test_the_last_texts_are_kept_and_no_more():
    encoded = []

    def encode(texts):
        encoded.extend(texts)
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    kept = KeptVectors(2)
    assert kept.of(["a", "bb", "a"], encode, 2).tolist() == [[1, 1], [2, 1], [1, 1]]
    assert kept.of(["ccc", "bb"], encode, 2).tolist() == [[3, 1], [2, 1]]
    assert encoded == ["a", "bb", "ccc"]  # each once, and what was kept not again
    kept.of(["a"], encode, 2)
    assert encoded == ["a", "bb", "ccc", "a"]  # a service that runs for months keeps what fits
    assert kept.of([], encode, 2).shape == (0, 2)
