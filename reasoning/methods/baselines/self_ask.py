"""Self-Ask: follow-up questions, each answered from passages (Press et al. 2023)."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import LINE, UNKNOWN, Turns, check, concludes, conclusion

FOLLOW_UP = "Follow up:"
_MARK = re.compile(r"^follow[- ]?up(?: question)?:\s*", re.IGNORECASE)


@dataclass(frozen=True)
class SelfAsk:
    """The model asks, retrieval and reading answer in the search engine's place (§3.1, §3.3).

    The paper lets the model first say whether there is anything to ask; here it asks or concludes.

    Args:
        follow_ups: at most; the paper sets no bound, ITER-RETGEN compares with 5 (§4.4). Then, as
            when it asks the same again, the answer is read from the passages shown so far.
        passages: for each follow-up question, 5 as there; the paper shows the search engine's one
            answer.
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    follow_ups: int = 5
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
            said = turns.say("self_ask/follow_up", asked=_lines(asked) or "none yet")
            if concludes(said):
                return turns.answered(conclusion(said))
            follow_up = _MARK.sub("", said)
            if not follow_up or follow_up in asked or len(asked) == self.follow_ups:
                break
            found = turns.search(follow_up, self.passages)
            asked[follow_up] = turns.say("shared/read_passages", found, LINE, question=follow_up)
        shown = [*turns.shown] or turns.retrieve(question, self.passages)
        return turns.answered(turns.read(shown))


def _lines(asked: dict[str, str]) -> str:
    return "\n".join(
        f"{FOLLOW_UP} {question}\nIntermediate answer: {answer or UNKNOWN}"
        for question, answer in asked.items()
    )
