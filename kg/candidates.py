"""What one look at the graph finds for a question, and where one hop from there leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """A passage with all that ranking it for a question takes.

    Args:
        cosine: similarity to the question's vector.
        bm25: full-text score, 0 outside the best of the pool.
        title: normal form.
        covered: which of the question's stems it holds.
    """

    id: str
    cosine: float
    bm25: float
    title: str
    covered: frozenset[str]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What one look at the graph finds for a question.

    Args:
        passages: how many the graph holds.
        frequencies: how many passages hold each of the question's stems; absent when none does.
        found: by id.
    """

    passages: int
    frequencies: Mapping[str, int]
    found: Sequence[PassageCandidate]


@dataclass(frozen=True, slots=True)
class Bridge:
    """All ways that lead from one passage to another in one hop.

    Args:
        names: the source's text names the target's title.
        named: the target's text names the source's title.
        rarest: how many passages mention the rarest entity both mention, None without any.
        target: as a candidate; its `bm25` is 0 here.
    """

    source: str
    target: PassageCandidate
    names: bool
    named: bool
    rarest: int | None
