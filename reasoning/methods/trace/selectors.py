"""Who chooses the next triple of a chain (TRACE §3.3, "Triple Selector")."""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ....kg.errors import BadRequest
from ....kg.text.words import normal_form
from ....kg.types import Triple
from ....models.language import LanguageModel, LogProbabilities
from ...prompts import Demonstration, Template
from ...prompts.showing import choice, examples, triple_lines, triple_text
from ...session.assembling import examples_within
from ...session.session import Session

LETTERS = string.ascii_uppercase + string.ascii_lowercase
"""Options, in this order: each is one token in every vocabulary met."""
MAX_OPTIONS = len(LETTERS) - 1
NO_NEED = "no need for additional triples"


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate for the next step of a chain.

    Args:
        similarity: the ranker's score: inner product with question + chain, or share of words.
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

    def ends(self, chain: Sequence[Triple]) -> bool:
        """Tell whether a chain needs no more triples, whatever could follow."""
        ...

    def choose(
        self,
        question: str,
        chains: Sequence[Sequence[Triple]],
        options: Sequence[Sequence[Option]],
    ) -> list[LogProbabilities]:
        """Score the options of each chain: float64 (1 + its number of options,), "A" first."""
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

    def ends(self, chain: Sequence[Triple]) -> bool:
        """Tell whether it leads to the goal."""
        return any(self._reaches(triple) for triple in chain)

    def choose(
        self,
        question: str,
        chains: Sequence[Sequence[Triple]],
        options: Sequence[Sequence[Option]],
    ) -> list[LogProbabilities]:
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
        return 2.0 if self.ends(chain) else self.least

    def _reaches(self, triple: Triple) -> bool:
        goal = normal_form(self.goal)
        return bool(goal) and any(
            end == goal or (len(goal) > 3 and f" {goal} " in f" {end} ")
            for end in (triple.head_id, triple.tail_id)
        )


@dataclass(frozen=True)
class ByModel:
    """A language model picks a letter; its log-probabilities are the distribution (equation 5).

    Instruction, demonstrations and question come first and are the same over all beams and steps of
    a question, so that a model reads them once.

    Args:
        opening: the prompt up to the question.
        step: chosen triples and candidates.
        demonstrations: worked examples that the opening shows.
        answers: that the question is to be answered with one of.
    """

    model: LanguageModel
    opening: Template
    step: Template
    demonstrations: Sequence[Demonstration] = ()
    answers: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def ends(self, chain: Sequence[Triple]) -> bool:
        """Leave that to the model."""
        return False

    def choose(
        self,
        question: str,
        chains: Sequence[Sequence[Triple]],
        options: Sequence[Sequence[Option]],
    ) -> list[LogProbabilities]:
        """Score the options of each chain by the model, which picks a letter.

        An empty chain can't end: its "A" has no probability.

        Raises:
            BadRequest: more options than letters, or a prompt longer than the model's context.
        """
        most = max(map(len, options), default=0)
        if most > MAX_OPTIONS:
            raise BadRequest(f"{most} candidates, but only {MAX_OPTIONS} have a letter.")
        asked = choice(question, self.answers, lettered=False)  # candidates have the letters
        prefix = self.opening.render(examples=examples(self.demonstrations), question=asked)
        tails = [self._tail(*pair) for pair in zip(chains, options, strict=True)]
        chosen = self.model.choose(f"{prefix}\n\n", tails, list(LETTERS[: most + 1]))
        return [
            _normalised(row[: len(of_chain) + 1], bool(chain))
            for row, chain, of_chain in zip(chosen.log_probabilities, chains, options, strict=True)
        ]

    def _tail(self, chain: Sequence[Triple], options: Sequence[Option]) -> str:
        offered = [NO_NEED, *(triple_text(option.triple) for option in options)]
        lines = (f"{letter}. {text}" for letter, text in zip(LETTERS, offered, strict=False))
        chosen = triple_lines(chain) or "none yet"
        return self.step.render(chosen=chosen, candidates="\n".join(lines)) + "\n"


def _normalised(row: LogProbabilities, may_end: bool) -> LogProbabilities:
    logs = row.copy()
    if not may_end:
        logs[0] = -np.inf
    total = np.logaddexp.reduce(logs)
    return logs if total == -np.inf else logs - total  # it named what this chain can't take


def by_model(session: Session, count: int) -> ByModel:
    """Make the selector with the packaged prompts (or the user's) and `count` demonstrations.

    Those whose question is nearest, the nearest last (Appendix C.4 takes three of twenty); fewer
    where they and the question would take more than half of the context.
    """
    parts, model = session.parts, session.model
    opening = parts.template("trace/select")
    near = parts.nearest(session.question, opening.demonstrations, "Question", count)
    asked = choice(session.question, session.options, lettered=False)
    shown = examples_within(
        model, near, lambda worked: opening.render(examples=worked, question=asked)
    )
    step = parts.template("trace/select_step")
    return ByModel(model, opening, step, shown, session.options)
