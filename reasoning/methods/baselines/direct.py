"""Direct: the model answers from what it has learned, without a passage."""

from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import ANSWER, Turns, check, told


@dataclass(frozen=True)
class Direct:
    """One prompt with the question alone: the baseline without retrieval (GNN-Ret §4.1).

    The model may say that it does not know; in papers it has to guess.

    Args:
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model.
    """

    parts: Parts
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("direct", self)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method; `within` changes nothing."""
        turns = Turns.of("direct", self, question, within, on_step)
        return turns.answered(told(turns.say("direct/recall", decoding=ANSWER)))
