"""RGNN-Ret: sub-questions, one after the other, until their answers suffice (Li et al. 2024)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...kg.answers import Answer
from ...models.language import Decoding
from ..prompts.showing import SECTIONS
from ..registry import Count, Passages
from ..replies.answers import concludes, conclusion, told
from ..replies.plain import lines
from ..replies.sentences import question as asks
from ..replies.sentences import says_nothing, statement, thoughts
from ..replies.unknown import UNKNOWN
from ..session.session import ANSWER, Session

SUB_QUESTION = Decoding(stop=SECTIONS, max_tokens=96)
SENTENCE = Decoding(stop=SECTIONS, max_tokens=128)
ANALYSIS = Decoding(stop=SECTIONS, max_tokens=384)
_VERDICT = re.compile(r"\bcritique\W+(?:is\W+)?(yes|no)\b", re.IGNORECASE)
_BARE = re.compile(r"^(?:[^:：]*[:：])?\W*(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True)
class RgnnRet:
    """The model asks the next sub-question, answers it, and judges its answers (GNN-Ret §3.3).

    The retriever is `rgnn` unless another is chosen: it remembers the sub-questions. With `dense`,
    `rgnn:alpha=1` and `gnn` it is the paper's ablation (table 2).

    Args:
        steps: sub-questions at most; the paper sets no bound. Where their answers do not suffice
            by then, or the model asks nothing new, the answer is read from the passages shown.
        passages: for each sub-question: as many as 3,500 tokens hold at 200 a passage (§4.1,
            appendix B).
    """

    name: ClassVar[str] = "rgnn_ret"
    retriever: ClassVar[str] = "rgnn"
    steps: Count = 5
    passages: Passages = 17

    def answer(self, session: Session) -> Answer:
        answered: dict[str, str] = {}
        while len(answered) < self.steps and not session.spent:
            asked = next_asked(session, answered)
            if not asked:
                break
            found = session.search(asked, self.passages)
            said = session.say("rgnn_ret/answer", found, SENTENCE, question=asked)
            answered[asked] = conclusion(said) if concludes(said) else statement(said)
            if answered[asked] and _suffices(session, answered):
                said = session.say(
                    "rgnn_ret/conclude", (), ANSWER, last=True, answered=answered_lines(answered)
                )
                return session.answered(told(said))
        shown = [*session.shown] or session.retrieve(session.question, self.passages)
        return session.answered(session.read(shown))


def next_asked(session: Session, answered: Mapping[str, str]) -> str:
    """Ask for the next sub-question; "" when the model has none, or none that is new."""
    so_far = answered_lines(answered) or "none yet"
    said = session.say("rgnn_ret/ask", (), SUB_QUESTION, answered=so_far)
    ends = says_nothing(said) or concludes(said)
    asked = asks(said) or ("" if ends else next(iter(thoughts(said)), ""))
    return "" if asked.casefold() in map(str.casefold, answered) else asked


def _suffices(session: Session, answered: Mapping[str, str]) -> bool:
    """Self-critique: the answers alone, without their sub-questions, are judged (§3.3)."""
    found = "\n".join(answer for answer in answered.values() if answer)
    return _enough(session.say("rgnn_ret/critique", (), ANALYSIS, found=found))


def _enough(said: str) -> bool:
    """Whether the last verdict is yes; a reply without one does not say that it is enough."""
    told = [line.text for line in lines(said)]
    found = [[v[1] for v in map(form.search, told) if v] for form in (_VERDICT, _BARE)]
    verdicts = found[0] or found[1]
    return bool(verdicts) and verdicts[-1].casefold() == "yes"


def answered_lines(answered: Mapping[str, str]) -> str:
    """Show sub-questions with their answers."""
    return "\n".join(
        f"Sub-question: {asked}\nAnswer: {answer or UNKNOWN}" for asked, answer in answered.items()
    )
