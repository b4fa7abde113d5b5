"""The hits of a search."""

from dataclasses import dataclass

from ..kg.types import Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage a search found."""

    passage: Passage
    score: float
