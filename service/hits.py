"""The hits of a search."""

from dataclasses import dataclass

from ..kg.answers import Copy
from ..kg.types import Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage a search found.

    Args:
        also: where else it stands: copies from other documents.
    """

    passage: Passage
    score: float
    also: tuple[Copy, ...] = ()
