"""Zero-plus-few-shot chain of thought: a sentence that begins to think, and worked examples."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import PassagesOrNone
from ...replies.answers import conclusion
from ...session.session import THOUGHTS, Session


@dataclass(frozen=True)
class ZeroPlusFewShot:
    """Thoughts begin with one sentence, in the prompt and in its examples (Kojima et al. 2022).

    One prompt, decoded greedily. The paper extracts the answer with a second one; here thoughts end
    in it, as those of the examples do.

    Args:
        passages: retrieved once and shown, as for `cot`. With 0 it is as GE-Reasoning compares with
            it (§4.3): the model has what it has learned.
    """

    name: ClassVar[str] = "zero_plus_few_shot"
    passages: PassagesOrNone = 5

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages) if self.passages else []
        said = session.say("zero_plus_few_shot/think", found, THOUGHTS, last=True)
        return session.answered(conclusion(said))
