"""Self-Ask: follow-up questions, each answered from passages (Press et al. 2023)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....models.language import Decoding
from ...prompts.showing import SECTIONS
from ...registry import Count, Passages
from ...replies.answers import concludes, conclusion, told
from ...replies.sentences import follow_up
from ...replies.unknown import UNKNOWN
from ...session.session import ANSWER, Session

FOLLOW_UP = "Follow up:"
NEXT = Decoding(stop=("\nIntermediate", *SECTIONS), max_tokens=128)


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
    passages: Passages = 5

    def answer(self, session: Session) -> Answer:
        asked: dict[str, str] = {}
        for _ in range(self.follow_ups + 1):
            so_far = _lines(asked) or "none yet"
            said = session.say("self_ask/follow_up", decoding=NEXT, asked=so_far)
            question = follow_up(said)
            if not question and concludes(said):
                return session.answered(conclusion(said))
            if not question or question in asked or len(asked) == self.follow_ups:
                break
            found = session.search(question, self.passages)
            read = session.say("shared/read_passages", found, ANSWER, question=question)
            asked[question] = told(read)
        shown = [*session.shown] or session.retrieve(session.question, self.passages)
        return session.answered(session.read(shown))


def _lines(asked: dict[str, str]) -> str:
    return "\n".join(
        f"{FOLLOW_UP} {question}\nIntermediate answer: {answer or UNKNOWN}"
        for question, answer in asked.items()
    )
