"""Top-T triples: those nearest to the question, without chains (TRACE Table 2)."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import check
from ..trace.method import Trace


@dataclass(frozen=True)
class TopTriples:
    """TRACE without the constructor of chains: one retrieval of passages, one of their triples.

    Args:
        passages: whose triples are ranked, as for `trace`; in the paper those that come with the
            question.
        top: T; of the paper's 10, 20 and 25 the last does best.
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    passages: int = 10
    top: int = 25
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("top_triples", self, passages=self.passages, top=self.top)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        method = Trace(
            self.parts,
            passages=self.passages,
            evidence="top",
            top=self.top,
            max_calls=self.max_calls,
            max_tokens=self.max_tokens,
        )
        return replace(method.answer(question, within, on_step), method="top_triples")
