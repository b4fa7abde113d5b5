"""IRCoT: each thought is the next query, each retrieval leads on (Trivedi et al. 2023)."""

from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import LINE, THOUGHTS, Turns, check, concludes, conclusion


@dataclass(frozen=True)
class IRCoT:
    """Retrieve, think one sentence, retrieve with it, and so on (§3.1); then read (§3.2).

    The thoughts only collect passages. The reader thinks anew over all of them, as the paper's
    chain-of-thought reader does; where it comes to no conclusion, the paper takes all it said for
    the answer, and here there is none.

    Args:
        passages: of each retrieval, K; the paper tunes it over 2, 4, 6 and 8 (§4.1).
        most: passages in all (§4.1).
        steps: thoughts at most (§3.1); a repeated one ends them, it would find the same again.
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    passages: int = 4
    most: int = 15
    steps: int = 8
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("ircot", self, passages=self.passages, most=self.most, steps=self.steps)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("ircot", self, question, within, on_step)
        collected = dict.fromkeys(turns.retrieve(question, self.passages))
        thoughts: list[str] = []
        for _ in range(self.steps):
            thought = turns.think([*collected][: self.most], thoughts, LINE)
            if not thought or thought in thoughts or concludes(thought):
                break
            thoughts.append(thought)
            collected |= dict.fromkeys(turns.search(thought, self.passages))
        return turns.answered(conclusion(turns.think([*collected][: self.most], (), THOUGHTS)))
