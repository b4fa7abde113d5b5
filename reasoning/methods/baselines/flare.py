"""FLARE: look ahead one sentence, retrieve when the model is not sure of it (Jiang et al. 2023)."""

import math
from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ....models.language import Completion
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import LINE, THOUGHTS, Turns, check, concludes, conclusion


@dataclass(frozen=True)
class Flare:
    """Each sentence is first tried without passages; an unsure one is the query (direct, §3.2).

    Only the first is tried with passages, those nearest to the question (appendix A).

    A model here tells how likely a sentence is, not each of its tokens: where their geometric mean
    is below the threshold, one of them is. Single tokens can't be masked in the query either, for
    which the paper has β. A model that gives no probabilities is never sure. For a conclusion that
    is not sure, which says nothing to look for, the question is the query.

    Args:
        threshold: θ; 0.8 as for 2WikiMultihopQA (table 9).
        sentences: at most; the paper bounds tokens. A repeated one ends them, and the answer is
            concluded from the passages retrieved so far.
        passages: of each retrieval, shown for that sentence alone; 2 as for 2WikiMultihopQA, more
            did not fit (appendix B).
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    threshold: float = 0.8
    sentences: int = 10
    passages: int = 2
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("flare", self, sentences=self.sentences, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("flare", self, question, within, on_step)
        thoughts: list[str] = []
        while len(thoughts) < self.sentences:
            thought = self._next(turns, thoughts)
            if not thought or thought in thoughts:
                break
            thoughts.append(thought)
            if concludes(thought):
                return turns.answered(conclusion(thought))
        return turns.answered(conclusion(turns.think([*turns.found], thoughts, THOUGHTS)))

    def _next(self, turns: Turns, thoughts: list[str]) -> str:
        first = [] if thoughts else turns.retrieve(turns.question, self.passages)
        ahead = turns.complete("flare/look_ahead", first, LINE, thoughts="\n".join(thoughts))
        if ahead is None or self._sure(ahead):
            return ahead.text.strip() if ahead else ""
        query = turns.question if concludes(ahead.text) else ahead.text.strip()
        return turns.think(turns.search(query, self.passages), thoughts, LINE)

    def _sure(self, said: Completion) -> bool:
        if said.log_probability is None:
            return False
        return math.exp(said.log_probability / max(1, said.tokens_out)) >= self.threshold
