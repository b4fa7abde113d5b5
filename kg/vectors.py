"""Vectors as bytes, and the best of a matrix."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .types import Scored, Vector

DECIMALS = 6
"""Similarities are compared to so many: below, a float32 sum depends on its row in the matrix."""


def to_bytes(vector: Vector) -> bytes:
    """Little-endian float32."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def from_bytes(data: bytes | bytearray) -> Vector:
    """float32 (d,)."""
    return np.frombuffer(data, dtype="<f4").astype(np.float32)


def best(ids: Sequence[str], matrix: Vector, vector: Vector, limit: int) -> list[Scored]:
    """The `limit` rows nearest to a vector, best first, ties by id.

    Args:
        ids: of the rows, sorted.
        matrix: float32 (n, d), rows of unit length.
        vector: float32 (d,), unit length.
        limit: how many at most.
    """
    if limit <= 0 or not len(ids):
        return []
    scores = np.round((matrix @ vector).astype(np.float64), DECIMALS)
    rows = _candidates(scores, limit)
    order = rows[np.lexsort((rows, -scores[rows]))][:limit]
    return [Scored(ids[int(row)], float(scores[row])) for row in order]


def _candidates(scores: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
    if limit >= len(scores):
        return np.arange(len(scores))
    least = scores[np.argpartition(-scores, limit - 1)[limit - 1]]
    return np.flatnonzero(scores >= least)
