"""Self-Ask: follow-up questions, each answered from passages (Press et al. 2023)."""

from collections.abc import Collection
from dataclasses import dataclass

from ...kg.types import Answer
from ..parts import Parts
from .reading import UNKNOWN
from .running import OnStep
from .turns import LINE, Turns, check, concludes, conclusion

FOLLOW_UP = "Follow up:"


@dataclass(frozen=True)
class SelfAsk:
    """The model asks, retrieval and reading answer in the search engine's place (§3).

    Args:
        follow_ups: at most; the paper sets no bound. Then, as when it asks the same again, the
            answer is read from the passages shown so far.
        passages: for each follow-up question; the paper shows the search engine's one answer.
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    follow_ups: int = 8
    passages: int = 5
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("self_ask", self, follow_ups=self.follow_ups, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("self_ask", self, question, within, on_step)
        asked: dict[str, str] = {}
        for _ in range(self.follow_ups + 1):
            said = turns.say("self_ask", asked=_lines(asked) or "none yet")
            if concludes(said):
                return turns.answered(conclusion(said))
            follow_up = said.removeprefix(FOLLOW_UP).strip()
            if not follow_up or follow_up in asked or len(asked) == self.follow_ups:
                break
            found = turns.search(follow_up, self.passages)
            asked[follow_up] = turns.say("read_passages", found, LINE, question=follow_up)
        shown = [*turns.shown] or turns.retrieve(question, self.passages)
        return turns.answered(turns.read(shown))


def _lines(asked: dict[str, str]) -> str:
    return "\n".join(
        f"{FOLLOW_UP} {question}\nIntermediate answer: {answer or UNKNOWN}"
        for question, answer in asked.items()
    )
