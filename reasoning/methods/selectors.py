"""Who chooses the next triple of a chain (TRACE §3.3, "Triple Selector")."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...kg.text import normal_form
from ...kg.types import Triple

LogProbabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate for the next step of a chain.

    Args:
        similarity: inner product with question + chain (the triple ranker's score).
        prior: retrieval score of the best passage that states it, 0 to 1.
        linked: shares an entity with the chain, or with the question while the chain is empty.
    """

    triple: Triple
    similarity: float
    prior: float
    linked: bool


class Selector(Protocol):
    """p(zᵢ | q, z<ᵢ, Ĝᵢ): over "A. no need for additional triples" and the options."""

    @property
    def name(self) -> str:
        """What an answer's record says chose its chains."""
        ...

    def choose(
        self,
        question: str,
        chains: Sequence[Sequence[Triple]],
        options: Sequence[Sequence[Option]],
    ) -> list[LogProbabilities]:
        """For each chain float64 (1 + its number of options,): log-probabilities, "A" first."""
        ...


@dataclass(frozen=True)
class BySimilarity:
    """The selector without a language model: explains what retrieval and reader have found.

    Similarity alone does not rank passages better than retrieval (its beams collapse onto two
    passages), so the passage's retrieval score is the prior, and shared entities, real relations
    and the answer itself count.

    Args:
        goal: the answer to lead to; "" for none.
        prior: weight of the passage's retrieval score.
        link: bonus for sharing an entity.
        tied: malus for a pair whose relation is unknown.
        reach: bonus for stating the goal.
        least: "no need for additional triples" wins where no option is better than this.
        temperature: of the softmax that turns scores into log-probabilities.
    """

    goal: str = ""
    prior: float = 0.5
    link: float = 0.15
    tied: float = 0.15
    reach: float = 0.4
    least: float = 0.75
    temperature: float = 0.1
    name: str = "similarity"

    def choose(
        self,
        question: str,
        chains: Sequence[Sequence[Triple]],
        options: Sequence[Sequence[Option]],
    ) -> list[LogProbabilities]:
        """See Selector."""
        return [
            self._distribution(chain, of_chain)
            for chain, of_chain in zip(chains, options, strict=True)
        ]

    def _distribution(self, chain: Sequence[Triple], options: Sequence[Option]) -> LogProbabilities:
        scores = np.array([self._stop(chain), *(self._score(option) for option in options)])
        scores = scores / self.temperature
        top = scores.max()
        return scores - top - np.log(np.exp(scores - top).sum())

    def _score(self, option: Option) -> float:
        return (
            option.similarity
            + self.prior * option.prior
            + self.link * option.linked
            - self.tied * option.triple.tied
            + self.reach * self._reaches(option.triple)
        )

    def _stop(self, chain: Sequence[Triple]) -> float:
        if not chain:
            return -np.inf
        return 2.0 if any(self._reaches(triple) for triple in chain) else self.least

    def _reaches(self, triple: Triple) -> bool:
        goal = normal_form(self.goal)
        return bool(goal) and any(
            end == goal or (len(goal) > 3 and f" {goal} " in f" {end} ")
            for end in (triple.head_id, triple.tail_id)
        )
