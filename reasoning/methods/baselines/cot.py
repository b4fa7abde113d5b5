"""Chain of thought: think step by step, then answer (Wei et al. 2022)."""

from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ...registry import PassagesOrNone
from ...replies.answers import conclusion
from ...session.session import Session


@dataclass(frozen=True)
class ChainOfThought:
    """One prompt, decoded greedily (§3.1), with worked examples of thoughts before the answer.

    Args:
        passages: retrieved once and shown: the retrieval-augmented form that papers on multi-hop
            questions compare with (KnowTrace, appendix C; how many, §4.1.3). 0 is the paper's own.
    """

    name: ClassVar[str] = "cot"
    passages: PassagesOrNone = 5

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages) if self.passages else []
        return session.answered(conclusion(session.think(found)))
