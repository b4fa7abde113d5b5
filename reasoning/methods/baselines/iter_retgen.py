"""ITER-RETGEN: what was generated last time is the next query (Shao et al. 2023)."""

from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import THOUGHTS, Turns, check, conclusion


@dataclass(frozen=True)
class IterRetGen:
    """Whole chains of thought in turn with retrieval for "chain + question" (§3.1).

    Each chain is thought anew, over what its own retrieval found; the last one answers.

    Args:
        iterations: T; the paper goes from 1 to 7 (table 2), the second gains most (§4.5). Thoughts
            that come again end them: they would only come a third time.
        passages: k, of each retrieval (§4.4).
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    iterations: int = 7
    passages: int = 5
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("iter_retgen", self, iterations=self.iterations, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("iter_retgen", self, question, within, on_step)
        thoughts = ""
        for _ in range(self.iterations):
            found = turns.retrieve(f"{thoughts}\n{question}".strip(), self.passages)
            said = turns.think(found, (), THOUGHTS)
            if turns.spent or said == thoughts:
                break
            thoughts = said
        return turns.answered(conclusion(thoughts))
