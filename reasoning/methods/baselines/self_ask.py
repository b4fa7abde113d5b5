"""Self-Ask: follow-up questions, each answered from passages (Press et al. 2023)."""

import re
from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import Count
from ...session.replies import UNKNOWN, concludes, conclusion
from ...session.session import LINE, Session

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
    """

    name: ClassVar[str] = "self_ask"
    follow_ups: Count = 5
    passages: Count = 5

    def answer(self, session: Session) -> Answer:
        asked: dict[str, str] = {}
        for _ in range(self.follow_ups + 1):
            said = session.say("self_ask/follow_up", asked=_lines(asked) or "none yet")
            if concludes(said):
                return session.answered(conclusion(said))
            follow_up = _MARK.sub("", said)
            if not follow_up or follow_up in asked or len(asked) == self.follow_ups:
                break
            found = session.search(follow_up, self.passages)
            asked[follow_up] = session.say("shared/read_passages", found, LINE, question=follow_up)
        shown = [*session.shown] or session.retrieve(session.question, self.passages)
        return session.answered(session.read(shown))


def _lines(asked: dict[str, str]) -> str:
    return "\n".join(
        f"{FOLLOW_UP} {question}\nIntermediate answer: {answer or UNKNOWN}"
        for question, answer in asked.items()
    )
