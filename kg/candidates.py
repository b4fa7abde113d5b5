"""What one look at the graph finds for a question, and where one hop from there leads.

What a look makes by the hundred is a named tuple: it takes a third of the time.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .types import PARSED, Passage, Statement, Triple

MAX_RELATION_WORDS = 6  # of a parse; longer ones are nested prepositions that it got wrong
_NAMED = re.compile(r"[A-Z0-9]")


class PassageCandidate(NamedTuple):
    """A passage with all that ranking it for a question takes.

    Args:
        cosine: similarity to the question's vector.
        bm25: full-text score, 0 outside the best of the pool.
        title: normal form.
        covered: which of the question's stems it holds.
        text_key: the same for its copies; "" in a graph of an older version.
    """

    id: str
    cosine: float
    bm25: float
    title: str
    covered: frozenset[str]
    text_key: str = ""


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
class Ways:
    """What the ways across are worth, and how many passages they may lead to.

    Args:
        names: weight of "the source's text names the target's title", which no other does.
        named: of "the target's text names the source's title", likewise.
        shares: place n: of an entity that n passages mention, falling with n; one that more mention
            than there are places for leads nowhere.
        links: to how many passages, beside those that are known already; to the strongest.
        passages: how many the graph holds: the more of them name a title, the less it tells.
    """

    names: float
    named: float
    shares: Sequence[float]
    links: int
    passages: int

    @property
    def most(self) -> float:
        """A title that more passages name counts as if so many did."""
        return max(1.0, self.passages / 2)

    @property
    def bits(self) -> float:
        """Logarithm of all passages: what a title tells that one names."""
        return math.log(max(2, self.passages))

    def link(self, names: int, named: int, rarest: int | None) -> float:
        """The best of the ways that lead across: see `Bridge`."""
        shared = self.shares[rarest] if rarest else 0.0
        return max(self.names * self._told(names), self.named * self._told(named), shared)

    def _told(self, naming: int) -> float:
        return 1 - math.log(min(naming, self.most)) / self.bits if naming else 0.0


class Bridge(NamedTuple):
    """All ways that lead from one passage to another in one hop.

    Args:
        names: how many passages name the target's title, where the source's text does; else 0.
        named: how many name the source's title, where the target's text does; else 0.
        rarest: how many passages mention the rarest entity both mention, None without any.
        target: as a candidate; its `bm25` is 0 here.
    """

    source: str
    target: PassageCandidate
    names: int
    named: int
    rarest: int | None


@dataclass(frozen=True, slots=True)
class RankedTriple:
    """A triple that a chain may go on with.

    Args:
        similarity: cosine to the chain's vector; None where the triple has none.
        statements: of the passages asked about, where they state it; else of all, by passage id.
    """

    triple: Triple
    similarity: float | None
    statements: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class RankedTriples:
    """Where chains may go on, one look for all of them.

    Args:
        chains: for each chain the nearest triples, best first, and after them all without a vector.
        passages: that state one of these and were not asked about, by id.
    """

    chains: Sequence[Sequence[RankedTriple]]
    passages: Mapping[str, Passage]


def may_chain(triple: Triple) -> bool:
    """Say whether a chain may hold it: of a parse only what names something and is a relation."""
    if triple.extractor not in PARSED:
        return True
    named = _NAMED.search(triple.head + triple.tail) is not None
    return named and len(triple.relation.split()) <= MAX_RELATION_WORDS


class Taken:
    """What a chain does not take again: what joins the same two ends, or reads the same.

    Args:
        chain: its triples.
    """

    def __init__(self, chain: Collection[Triple]) -> None:
        self._pairs = {(triple.head_id, triple.tail_id) for triple in chain}
        self._said = {triple.text for triple in chain}

    def leaves(self, triple: Triple) -> bool:
        """Say whether the chain may still take this triple."""
        pair = triple.head_id, triple.tail_id
        return pair not in self._pairs and triple.text not in self._said
