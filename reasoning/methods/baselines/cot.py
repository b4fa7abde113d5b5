"""Chain of thought: think step by step, then answer (Wei et al. 2022)."""

from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import THOUGHTS, Turns, check, conclusion


@dataclass(frozen=True)
class ChainOfThought:
    """One prompt, decoded greedily (§3.1), with worked examples of thoughts before the answer.

    Args:
        passages: retrieved once and shown: the retrieval-augmented form that papers on multi-hop
            questions compare with (KnowTrace, appendix C; how many, §4.1.3). 0 is the paper's own.
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 0.
    """

    parts: Parts
    passages: int = 5
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("cot", self, least=0, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("cot", self, question, within, on_step)
        found = turns.retrieve(question, self.passages) if self.passages else []
        return turns.answered(conclusion(turns.think(found, (), THOUGHTS)))
