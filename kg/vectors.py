"""Vectors as bytes, and the best of many."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .types import Vector

DECIMALS = 6
"""Similarities are compared to so many: what a model's float32 vectors do not tell apart."""
CHUNK = 1 << 14  # vectors of a chunk: what is copied when one more comes
_MARGIN = 1e-5  # float32 sums of unit vectors are nearer to the exact ones

Numbers = NDArray[np.int64]
F = TypeVar("F", bound=np.floating)


def to_bytes(vector: Vector) -> bytes:
    """Write a vector as little-endian float32."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def from_bytes(data: bytes | bytearray) -> Vector:
    """Read a vector, float32 (d,), from little-endian float32."""
    return np.frombuffer(data, dtype="<f4").astype(np.float32)


def dots(vectors: NDArray[F], vector: NDArray[F]) -> NDArray[F]:
    """Multiply vectors (n, d) with one (d,): (n,), each the same whatever stands beside it.

    On one core: BLAS would share more than some 9,000 numbers among threads of its own, which then
    keep the others busy for a tenth of a second, waiting for more.
    """
    return np.vecdot(vectors, vector)


@dataclass(frozen=True)
class Vectors:
    """Vectors by number, in chunks that are never written again: what changes shares the others.

    Args:
        chunks: numbers (n,), ascending, and vectors float32 (n, d) of unit length; none is empty.
    """

    chunks: tuple[tuple[Numbers, Vector], ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Sequence[tuple[int, bytes]]]) -> "Vectors":
        """Make vectors of rows (number, bytes), CHUNK or fewer at a time, by number."""
        return cls(tuple(map(_chunk, rows)))

    @cached_property
    def numbers(self) -> Numbers:
        """Return all numbers (n,), chunk after chunk."""
        return np.concatenate([np.empty(0, np.int64), *(numbers for numbers, _ in self.chunks)])

    @cached_property
    def _order(self) -> NDArray[np.intp] | None:
        """What sorts the numbers, None when they are sorted."""
        return None if (np.diff(self.numbers) > 0).all() else np.argsort(self.numbers)

    def without(self, numbers: Iterable[int]) -> "Vectors":
        """Return the vectors of all other numbers."""
        gone = np.fromiter(numbers, np.int64)
        if not len(gone):
            return self
        kept = []
        for chunk in self.chunks:
            stay = ~np.isin(chunk[0], gone)
            if stay.any():
                kept.append(chunk if stay.all() else (chunk[0][stay], chunk[1][stay]))
        return Vectors(tuple(kept))

    def and_also(self, others: "Vectors") -> "Vectors":
        """Return these and others, small chunks at the end grown together."""
        chunks = list(self.chunks)
        for numbers, matrix in others.chunks:
            if (
                chunks
                and len(chunks[-1][0]) + len(numbers) <= CHUNK
                and chunks[-1][0][-1] < numbers[0]
            ):
                before, above = chunks.pop()
                numbers, matrix = np.concatenate([before, numbers]), np.concatenate([above, matrix])
            chunks.append((numbers, matrix))
        return Vectors(tuple(chunks))

    def cosines(self, numbers: Sequence[int], vector: Vector) -> tuple[NDArray[np.bool_], Vector]:
        """Find which numbers are here, and their similarities to a unit vector, float32."""
        wanted = np.asarray(numbers, np.int64)
        if not len(self.numbers):
            return np.zeros(len(wanted), np.bool_), np.empty(0, np.float32)
        places = np.searchsorted(self.numbers, wanted, sorter=self._order)
        places = np.minimum(places, len(self.numbers) - 1)
        if self._order is not None:
            places = self._order[places]
        here = self.numbers[places] == wanted
        return here, dots(self._rows(places[here]), vector)

    def nearest(self, vector: Vector, limit: int) -> tuple[list[int], list[float]]:
        """Find numbers and similarities of the `limit` nearest, and of all that tie with the last.

        Args:
            vector: float32 (d,), unit length.
            limit: at least 1.
        """
        rough = np.empty(len(self.numbers), np.float32)
        start = 0
        for numbers, matrix in self.chunks:
            rough[start : start + len(numbers)] = dots(matrix, vector)
            start += len(numbers)
        rows = np.flatnonzero(rough >= _last(rough, limit) - _MARGIN)
        scores = self._exactly(rows, vector)
        best = scores >= _last(scores, limit)
        return self.numbers[rows[best]].tolist(), scores[best].tolist()

    def _exactly(self, rows: NDArray[np.intp], vector: Vector) -> NDArray[np.float64]:
        """The similarities of these rows, the same wherever a row lies."""
        exact = vector.astype(np.float64)
        scores = [
            dots(self._rows(rows[start : start + CHUNK]).astype(np.float64), exact)
            for start in range(0, len(rows), CHUNK)
        ]
        return np.round(np.concatenate([np.empty(0), *scores]), DECIMALS)

    def _rows(self, rows: NDArray[np.intp]) -> Vector:
        if len(self.chunks) == 1:
            return self.chunks[0][1][rows]
        ends = np.cumsum([len(numbers) for numbers, _ in self.chunks])
        inside = np.searchsorted(ends, rows, side="right")
        found = np.empty((len(rows), self.chunks[0][1].shape[1] if self.chunks else 0), np.float32)
        for chunk in np.unique(inside):
            numbers, matrix = self.chunks[chunk]
            here = inside == chunk
            found[here] = matrix[rows[here] - (ends[chunk] - len(numbers))]
        return found


def _chunk(rows: Sequence[tuple[int, bytes]]) -> tuple[Numbers, Vector]:
    numbers = np.fromiter((number for number, _ in rows), np.int64, len(rows))
    return numbers, from_bytes(b"".join([data for _, data in rows])).reshape(len(rows), -1)


def _last(scores: NDArray[np.floating], limit: int) -> float:
    """The limit-th best, or the worst."""
    if limit >= len(scores):
        return float(scores.min(initial=np.inf))
    return float(np.partition(scores, -limit)[-limit])
