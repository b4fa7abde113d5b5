"""RAG: retrieve once, read (Lewis et al. 2020)."""

from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import Turns, check


@dataclass(frozen=True)
class Rag:
    """The passages nearest to the question go into one prompt.

    The paper's generator is fitted together with the retriever and weighs each passage by itself;
    here, as in later papers' baselines, a model is prompted with all of them.

    Args:
        passages: retrieved and read; the paper trains with 5 or 10 and tunes how many are read
            (§3).
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    passages: int = 5
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("rag", self, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("rag", self, question, within, on_step)
        found = turns.retrieve(question, self.passages)
        return turns.answered(turns.read(found))
